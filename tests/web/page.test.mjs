// SPDX-License-Identifier: Apache-2.0
// The page of honest runs: it shows them, moves, zooms and stays by itself.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { isDrawn, FOLDER, holdfast, launch, open } from './browser.mjs';

let browser, page;
before(async () => {
  browser = await launch();
  holdfast('run', 'rolling-sphere', '-q', '--report', 'sphere.html');
  page = await open(browser, 'sphere.html');
});
after(() => browser?.close());

test('says nothing, asks nobody', async () => {
  assert.deepEqual(page.said, []);
  assert.equal(await page.title(), 'rolling sphere – Holdfast');
  assert.equal(await page.locator('h1').textContent(), 'rolling sphere');
  assert.match(await page.locator('.model pre').textContent(), /thrown along the floor/);
});

test('says how far the run can be trusted', async () => {
  assert.match(await page.locator('.subtitle').textContent(), /completed · trustworthy within [0-9.]+ % of the way$/);
  holdfast('run', 'conveyor-periodic', '-q', '--report', 'doubtful.html');
  const doubtful = await open(browser, 'doubtful.html');
  assert.match(await doubtful.locator('.subtitle').textContent(), /doubtful$/);
  assert.match(await doubtful.locator('.notes').textContent(), /The run is doubtful: the step, 0\.001 s, is larger/);
  await doubtful.close();
});

test('plots have data', async () => {
  const cards = page.locator('#time .plot-card');
  assert.ok(await cards.count() >= 4, 'at least four plots');
  for (const card of await cards.all()) {
    assert.ok(await isDrawn(card.locator('canvas'), 20), 'a curve is drawn');
    for (const value of await card.locator('.entry b').allTextContents()) assert.match(value, /^[−\d]/);
  }
  assert.ok(await isDrawn(page.locator('#energy canvas'), 10), 'the energy is drawn');
  assert.ok(await isDrawn(page.locator('.band-canvas'), 2), 'bands are drawn');
  assert.ok(await page.locator('.portrait').count() >= 2, 'portraits are there');
  assert.ok(await isDrawn(page.locator('.view3d canvas'), 200), 'the machine is drawn');
});

test('numbers are the recorded ones', async () => {
  const json = JSON.parse(holdfast('run', 'rolling-sphere', '--json'));
  const last = await page.evaluate(() => {
    const { channels } = holdfast.runs[0];
    return Object.fromEntries([...channels.keys()].map((name) => [name, channels.get(name).column]
      ).filter(([, column]) => column.values).map(([name, column]) => [name, column.values[column.values.length - 1]]));
  });
  assert.ok(Object.keys(last).length >= 10);
  for (const [name, value] of Object.entries(last)) assert.equal(value, json.final[name], name);
});

test('play moves the body, pause stops it', async () => {
  const x = () => page.evaluate(() => holdfast.view.machines[0].parts[0].position.x);
  const start = await x();
  await page.locator('.play').click();
  await page.waitForFunction((from) => holdfast.view.machines[0].parts[0].position.x > from + 0.05, start, { timeout: 30000 });
  await page.keyboard.press('Tab'); // away from the button, so that space is the page's
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('Space');
  assert.equal(await page.evaluate(() => holdfast.state.playing), false);
  const stopped = await x();
  assert.ok(stopped > start);
  await page.waitForTimeout(200);
  assert.equal(await x(), stopped);
});

test('scrubbing and keys set the moment', async () => {
  await page.locator('.scrub').evaluate((slider) => { slider.value = 1000; slider.dispatchEvent(new Event('input')); });
  assert.ok(Math.abs(await page.evaluate(() => holdfast.state.time) - 0.5) < 1e-9);
  await page.keyboard.press('ArrowRight');
  assert.ok(await page.evaluate(() => holdfast.state.time) > 0.5);
  await page.keyboard.press('Home');
  assert.equal(await page.evaluate(() => holdfast.state.time), 0);
});

test('a dial shows how much of its limit a joint friction uses', async () => {
  holdfast('run', 'winch-brake', '-q', '--report', 'winch.html');
  const winch = await open(browser, 'winch.html');
  const at = (part) => winch.evaluate((where) => {
    const slider = document.querySelector('.scrub');
    slider.value = where * Number(slider.max);
    slider.dispatchEvent(new Event('input'));
    return holdfast.view.machines[0].forces.views.filter(({ dial }) => dial)
      .map(({ force, dial }) => ({ name: force.name, visible: dial.mesh.visible, share: dial.material.uniforms.share.value }));
  }, part);
  const brake = async (part) => (await at(part)).find(({ name }) => name === 'brake');
  const slipping = await brake(0.4), held = await brake(0.9);
  assert.ok(slipping.visible && Math.abs(slipping.share - 1) < 0.01, `slipping: ${slipping.share}`);
  assert.ok(held.visible && held.share > 0.2 && held.share < 0.9, `held: ${held.share}`);
  await winch.close();
});

test('the cursor is one cursor', async () => {
  const cards = page.locator('#time .plot-card');
  const other = cards.nth(1).locator('.entry b').first();
  await cards.nth(0).scrollIntoViewIfNeeded();
  const box = await cards.nth(0).locator('.u-over').boundingBox();
  const read = async (part) => {
    await page.mouse.move(box.x + box.width * part, box.y + box.height / 2);
    return Number((await other.textContent()).replace('−', '-'));
  };
  const early = await read(0.1), late = await read(0.9);
  assert.ok(early > late + 0.2, `the other plot follows: ${early}, ${late}`);
  const places = await page.evaluate(() => holdfast.stack.cards.map((card) => Math.round(card.plot.cursor.left)));
  assert.ok(places.every((left) => Math.abs(left - places[0]) <= 1), `cursors at ${places}`);
});

test('dragging zooms all plots, double click shows all', async () => {
  const over = page.locator('#time .plot-card .u-over').first();
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.mouse.move(box.x + box.width * 0.4, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 4 });
  await page.mouse.up();
  const views = await page.evaluate(() => holdfast.stack.cards.map(({ plot }) => [plot.scales.x.min, plot.scales.x.max]));
  for (const [min, max] of views) {
    assert.ok(Math.abs(min - 0.4) < 0.01 && Math.abs(max - 0.6) < 0.01, `view ${min} to ${max}`);
  }
  await page.mouse.dblclick(box.x + box.width * 0.5, box.y + 40);
  assert.deepEqual(await page.evaluate(() => holdfast.state.view), { min: 0, max: 1 });
});

test('any channel can be chosen', async () => {
  await page.getByRole('button', { name: 'Channels' }).click();
  await page.getByRole('searchbox').fill('floor.mode');
  const count = await page.locator('#time .plot-card').count();
  await page.locator('.picker-line input').first().check();
  await page.waitForFunction((n) => document.querySelectorAll('#time .plot-card').length === n + 1, count);
  await page.locator('#time .plot-card').last().getByRole('button', { name: /^Close/ }).click();
  await page.waitForFunction((n) => document.querySelectorAll('#time .plot-card').length === n, count);
});

test('planes are floors, pens are glass, pairs have no arrow', async () => {
  writeFileSync(path.join(FOLDER, 'pen.yaml'), `name: pen
gravity: [0, 0, -9.81]
method: {type: timestep, step: 1e-3}
duration: 0.05
bodies:
  ground: {type: static, shape: {type: plane}}
  left: {type: static, shape: {type: box, size: [0.02, 0.4, 0.4]}, position: [-0.2, 0, 0.2]}
  right: {type: static, shape: {type: box, size: [0.02, 0.4, 0.4]}, position: [0.2, 0, 0.2]}
  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.05}, position: [0, 0, 0.05]}
forces:
  - {name: contacts, type: collide, among: [ground, left, right, ball], friction: 0.5}
`);
  holdfast('run', 'pen.yaml', '-q', '--report', 'pen.html');
  const pen = await open(browser, 'pen.html');
  await pen.keyboard.press('End');
  const seen = await pen.evaluate(() => {
    const [machine] = holdfast.view.machines;
    const solid = (name) => {
      const meshes = [];
      machine.parts[machine.bodies.findIndex((body) => body.name === name)].traverse((part) => part.isMesh && meshes.push(part));
      return meshes.map((mesh) => mesh.material.opacity);
    };
    return { floors: holdfast.view.floors.map((floor) => floor.plane.normal.z), ground: solid('ground'), left: solid('left'), ball: solid('ball'),
      arrows: machine.forces.views.length, contacts: Array.from({ length: machine.forces.touches.count }, (none, k) =>
        [12, 13, 14].map((place) => machine.forces.touches.shafts.instanceMatrix.array[16 * k + place])) };
  });
  assert.deepEqual(seen.floors, [1], 'one floor, the plane');
  assert.deepEqual(seen.ground, [], 'which is no body');
  assert.ok(seen.left.every((opacity) => opacity < 0.5), 'the pen does not hide the ball');
  assert.ok(seen.ball.every((opacity) => opacity === 1));
  assert.equal(seen.arrows, 0, 'a force of many pairs has no one place');
  assert.equal(seen.contacts.length, 1, 'its contact has one');
  assert.ok(Math.hypot(...seen.contacts[0]) < 1e-6, `below the ball, not at ${seen.contacts[0]}`);
  const facts = await pen.locator('.facts').textContent();
  assert.match(facts, /most contacts in a step1/);
  assert.match(facts, /steps above the tolerance0/);
  assert.deepEqual(pen.said, []);
  await pen.context().close();
});

// Boxes around what is drawn of each body, in its own frame, by the page's own meshes.
const drawn = (of) => of.evaluate(() => {
  const [machine] = holdfast.view.machines;
  return Object.fromEntries(machine.parts.map((part, b) => {
    const meshes = [];
    for (const holder of part.children) {
      holder.updateMatrix();
      for (const mesh of holder.children.filter((child) => child.isMesh)) {
        const geometry = mesh.geometry.clone().applyMatrix4(holder.matrix);
        geometry.computeBoundingBox();
        const { min, max } = geometry.boundingBox, { index, attributes } = geometry;
        meshes.push({ min: min.toArray(), max: max.toArray(), triangles: (index || attributes.position).count / 3 });
      }
    }
    return [machine.bodies[b].name, meshes];
  }));
});
const near = (got, wanted, what) => got.forEach((x, k) => assert.ok(Math.abs(x - wanted[k]) < 1e-3 * Math.hypot(...wanted), `${what}: ${got}, not ${wanted}`));

test('all shapes of a body are drawn, where they are', async () => {
  holdfast('run', 'toolbox', '-q', '--report', 'toolbox.html');
  const toolbox = await open(browser, 'toolbox.html'), { bench, hammer, mallet } = await drawn(toolbox);
  assert.deepEqual([bench.length, hammer.length, mallet.length], [3, 2, 2]);
  const ramp = bench.find(({ max }) => max[0] > 0.5), slope = Math.PI / 9; // a box 0.4 long and 0.04 thick, turned by 20 degrees
  const long = 0.2 * Math.cos(slope) + 0.02 * Math.sin(slope), high = 0.2 * Math.sin(slope) + 0.02 * Math.cos(slope);
  near(ramp.min, [0.57 - long, -0.2, 0.05 - high], 'ramp');
  near(ramp.max, [0.57 + long, 0.2, 0.05 + high], 'ramp');
  const extent = ({ min, max }) => max.map((x, k) => x - min[k]);
  const [head, handle] = [...hammer].sort((a, b) => extent(a)[2] - extent(b)[2]);
  near(extent(head), [0.1, 0.03, 0.03], 'head');
  near(extent(handle), [0.024, 0.024, 0.27], 'handle');
  assert.ok(Math.abs((head.min[2] + head.max[2] - handle.min[2] - handle.max[2]) / 2 - 0.15) < 1e-6, 'the head is on the handle');
  assert.deepEqual(toolbox.said, []);
  await toolbox.context().close();
});

test('height fields, ellipsoids and cones are drawn', async () => {
  holdfast('run', 'bowl', '-q', '--report', 'bowl.html');
  const bowl = await open(browser, 'bowl.html'), things = await drawn(bowl);
  assert.deepEqual(things.bowl.map(({ triangles }) => triangles), [128]);
  near(things.bowl[0].min, [-0.2, -0.2, 0], 'bowl');
  near(things.bowl[0].max, [0.2, 0.2, 0.12], 'bowl');
  assert.equal(things.egg.length, 2, 'in two tones');
  near([0, 1, 2].map((k) => Math.max(...things.egg.map(({ max }) => max[k]))), [0.03, 0.022, 0.022], 'egg');
  assert.equal(await bowl.evaluate(() => holdfast.view.note.textContent), '');
  assert.deepEqual(bowl.said, []);
  await bowl.context().close();
  const side = 230, row = `[${Array(side).fill(0).join(', ')}]`; // 2 * 229 * 229 triangles: 104882
  writeFileSync(path.join(FOLDER, 'cone.yaml'), `name: cone
method: {type: timestep, step: 1e-3}
duration: 0.01
bodies:
  field: {type: static, shapes: [{type: heights, size: [1, 1], heights: [${Array(side).fill(row).join(', ')}]}]}
  cone: {type: rigid, mass: 1, shape: {type: cone, radius: 0.05, length: 0.12}, position: [0, 0, 0.1],
         draw: {color: "#ff0000"}}
  slab: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0.2],
         draw: {type: box, size: [0.2, 0.1, 0.02], orientation: {axis: [0, 0, 1], angle: 90 deg}}}
`);
  holdfast('run', 'cone.yaml', '-q', '--report', 'cone.html');
  const cone = await open(browser, 'cone.html'), alone = await drawn(cone);
  near(alone.cone[0].min, [-0.05, -0.05, -0.03], 'cone');
  near(alone.cone[0].max, [0.05, 0.05, 0.09], 'cone');
  near(alone.slab[0].max, [0.05, 0.1, 0.01], 'slab');
  assert.deepEqual(alone.field, [], 'too large');
  assert.match(await cone.evaluate(() => holdfast.view.note.textContent), /The surface of field is too large to be drawn: 104882 triangles\./);
  assert.deepEqual(cone.said, []);
  await cone.context().close();
});

test('dark, phone and paper', async () => {
  const phone = await open(browser, 'sphere.html', { viewport: { width: 360, height: 740 }, colorScheme: 'dark', isMobile: true, hasTouch: true });
  const [wide, background] = await phone.evaluate(() => [document.documentElement.scrollWidth, getComputedStyle(document.body).backgroundColor]);
  assert.equal(wide, 360, 'nothing sticks out');
  assert.equal(background, 'rgb(14, 19, 26)');
  await phone.getByRole('button', { name: 'Light or dark' }).click();
  assert.equal(await phone.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(244, 245, 247)');
  assert.ok((await phone.pdf()).length > 50000, 'it prints');
  assert.deepEqual(phone.said, []);
  await phone.context().close();
});

test('two runs lie over each other', async () => {
  holdfast('run', 'two-link-arm', '-q', '--every', '20', '-o', 'one.h5');
  holdfast('run', 'two-link-arm', '-q', '--every', '30', '--set', 'forces.elbow-friction.damping=2', '-o', 'two.h5');
  holdfast('report', 'one.h5', 'two.h5', '-o', 'both.html');
  const both = await open(browser, 'both.html');
  assert.deepEqual(both.said, []);
  assert.equal(await both.evaluate(() => holdfast.stack.cards[0].plot.series.length), 5, 'two joints of two runs');
  assert.equal(await both.evaluate(() => holdfast.view.machines.length), 2);
  await both.getByRole('radio', { name: /two\.h5/ }).click();
  assert.equal(await both.evaluate(() => holdfast.view.machines[0].run.label), 'two.h5');
  assert.deepEqual(both.said, []);
});
