// SPDX-License-Identifier: Apache-2.0
// A thousand bodies (make_page.c says where they are): few draws and triangles, each body in its place.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDrawn, holdfast, launch, makePage, open } from './browser.mjs';

const SIDE = 10, HEAP = SIDE ** 3, LOST = 320;

// Where body k is at a frame, which may lie between two.
const placeOf = (k, frame) => [0.1 * (k % SIDE), 0.1 * (Math.floor(k / SIDE) % SIDE), 0.1 * Math.floor(k / SIDE / SIDE) - 0.02 * frame];
const key = (place) => place.map((x) => Math.round(x * 1e4)).join(' ');

let browser, page;
before(async () => {
  browser = await launch();
  page = await open(browser, makePage('heap'));
});
after(() => browser?.close());

const frames = () => page.evaluate(() => holdfast.view.renderer.info.render.frame);

// Does something, and waits for what is drawn of it.
async function drawn(act) {
  const count = await frames();
  await act();
  await page.waitForFunction((n) => holdfast.view.renderer.info.render.frame > n, count);
  return page.evaluate(() => ({ ...holdfast.view.renderer.info.render }));
}
const goTo = (part) => drawn(() => page.locator('.scrub').evaluate((slider, value) => {
  slider.value = value;
  slider.dispatchEvent(new Event('input'));
}, 2000 * part));

// All meshes that stand for many: the matrices of their members that have a size, and their colours.
const herds = () => page.evaluate(() => holdfast.view.machines[0].herds.map(({ coats }) => coats.map((mesh) => {
  const members = [];
  for (let k = 0; k < mesh.count; ++k) {
    const matrix = [...mesh.instanceMatrix.array.slice(16 * k, 16 * k + 16)];
    if (matrix.some((x) => x !== 0)) members.push({ matrix, color: [...mesh.instanceColor.array.slice(3 * k, 3 * k + 3)] });
  }
  return members;
})));

// Every body once in a list of members, turned as it was recorded and of its size.
function inPlace(members, bodies, frame, size) {
  const found = new Map(members.map((member) => [key(member.matrix.slice(12, 15)), member.matrix]));
  assert.equal(found.size, bodies.length);
  for (const k of bodies) {
    const matrix = found.get(key(placeOf(k, frame)));
    assert.ok(matrix, `body ${k} is at ${placeOf(k, frame)}`);
    const c = Math.cos(k / 100), s = Math.sin(k / 100);
    const want = [c * size[0], s * size[0], 0, 0, -s * size[1], c * size[1], 0, 0, 0, 0, size[2], 0];
    want.forEach((x, i) => assert.ok(Math.abs(matrix[i] - x) < 1e-6, `body ${k}, matrix entry ${i}: ${matrix[i]}, not ${x}`));
  }
}

const spheres = [], boxes = [];
for (let k = 0; k < HEAP; ++k) (k % 7 === 6 ? boxes : spheres).push(k);

test('few draws, few triangles', async () => {
  assert.deepEqual(page.said, []);
  const { calls, triangles } = await goTo(0);
  console.log(`${calls} draws, ${triangles} triangles`);
  assert.ok(calls <= 20, `${calls} draws`);
  assert.ok(triangles < 400000, `${triangles} triangles`);
  assert.ok(await isDrawn(page.locator('.view3d canvas'), 200), 'the heap is drawn');
  assert.deepEqual(page.said, []);
});

test('bodies are where they were recorded', async () => {
  for (const frame of [0, 0.25, 0.75]) {
    await goTo(frame / 2);
    const [[one, other], [box]] = await herds();
    inPlace(one, spheres, frame, [0.04, 0.04, 0.04]);
    inPlace(other, spheres, frame, [0.04, 0.04, 0.04]);
    inPlace(box, boxes, frame, [0.06, 0.05, 0.04]);
  }
});

test('a body without a place is not drawn', async () => {
  await goTo(1);
  const [[one, other], [box]] = await herds();
  const rest = spheres.filter((k) => k !== LOST);
  inPlace(one, rest, 2, [0.04, 0.04, 0.04]);
  inPlace(other, rest, 2, [0.04, 0.04, 0.04]);
  assert.equal(box.length, boxes.length);
  await goTo(0);
  assert.equal((await herds())[0][0].length, spheres.length, 'and is there again where it has one');
});

test('the machine is as large as the places of its bodies', async () => {
  const { min, max } = await page.evaluate(() => holdfast.view.machines[0].box);
  const want = { min: [-0.04, -0.04, -0.08], max: [0.94, 0.94, 0.94] };
  for (const [corner, at] of [[min, want.min], [max, want.max]]) {
    ['x', 'y', 'z'].forEach((axis, k) => assert.ok(Math.abs(corner[axis] - at[k]) < 1e-6, `${axis}: ${corner[axis]}, not ${at[k]}`));
  }
});

test('contacts have arrows, in two draws', async () => {
  const before = await goTo(0), after = await goTo(0.5);
  assert.equal(after.calls - before.calls, 3, 'shafts, heads, and the trails until then');
  const { count, colors } = await page.evaluate(() => {
    const { touches } = holdfast.view.machines[0].forces;
    const list = Array.from({ length: touches.count }, (none, k) => [...touches.shafts.instanceColor.array.slice(3 * k, 3 * k + 3)].join());
    return { count: touches.count, colors: [...new Set(list)].map((color) => list.filter((other) => other === color).length) };
  });
  assert.equal(count, 100);
  assert.deepEqual(colors, [50, 50], 'half of them stick, half slip');
});

test('near bodies are finer, far ones coarser', async () => {
  const whole = await goTo(0);
  const near = await drawn(() => page.evaluate(() => {
    const { view } = holdfast;
    view.camera.position.lerp(view.controls.target, 0.9);
    view.draw();
  }));
  assert.ok(near.triangles > 2 * whole.triangles, `${near.triangles} triangles nearby, ${whole.triangles} for the whole`);
  assert.ok(near.triangles < 1.2e6);
  await drawn(() => page.keyboard.press('f'));
  assert.equal((await goTo(0)).triangles, whole.triangles);
});

test('a scene at rest is not drawn again', async () => {
  await goTo(0.5);
  await page.waitForTimeout(300);
  const count = await frames();
  await page.waitForTimeout(700);
  assert.equal(await frames(), count);
});

// A colour of the style sheet as the renderer has it: linear.
const linear = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
const variables = (target, names) => target.evaluate((list) => list.map((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()), names);
const near = (a, b) => a.every((x, k) => Math.abs(x - b[k]) < 1e-3);

test('colours are the theme\'s', async () => {
  await goTo(0);
  const seen = [];
  for (let round = 0; round < 2; ++round) {
    const [[one, other], [box]] = await herds();
    const [tone, ...paints] = (await variables(page, ['--tone', '--b0', '--b1', '--b2', '--b3', '--b4', '--b5'])).map(linear);
    assert.ok(one.every(({ color }, i) => near(color, paints[spheres[i] % 6])));
    assert.ok(other.every(({ color }) => near(color, tone)));
    assert.ok(box.every(({ color }, i) => near(color, paints[boxes[i] % 6])));
    seen.push(one[0].color.join());
    await drawn(() => page.getByRole('button', { name: 'Light or dark' }).click());
  }
  assert.notEqual(seen[0], seen[1]);
});

test('the heap of another run is a ghost', async () => {
  for (const [name, friction] of [['rough', 0.6], ['smooth', 0.1]]) {
    holdfast('run', 'pile', '--variant', 'few', '-q', '--set', 'duration=0.1', '--set', `forces.contacts.friction=${friction}`, '-o', `${name}.h5`);
  }
  holdfast('report', 'rough.h5', 'smooth.h5', '-o', 'ghost.html');
  const both = await open(browser, 'ghost.html');
  const ghosts = () => both.evaluate(() => holdfast.view.machines.map(({ herds: all }) =>
    all.map(({ coats: [{ count, castShadow, material, instanceColor }] }) => ({ count, castShadow, opacity: material.opacity, color: [...instanceColor.array.slice(0, 3)] }))));
  const [[solid], [ghost]] = await ghosts();
  const [first, second] = (await variables(both, ['--s0', '--s1'])).map(linear);
  assert.equal(solid.count, 27);
  assert.equal(ghost.count, 27);
  assert.deepEqual([solid.opacity, solid.castShadow, ghost.castShadow], [1, true, false]);
  assert.ok(ghost.opacity < 0.5 && near(ghost.color, second));
  const held = () => both.evaluate(() => holdfast.view.renderer.info.memory.geometries);
  const before = await held();
  await both.getByRole('radio', { name: /smooth\.h5/ }).click();
  const [, [other]] = await ghosts();
  assert.ok(near(other.color, first), 'the other run is the ghost now');
  await both.getByRole('radio', { name: /rough\.h5/ }).click();
  await both.waitForTimeout(500);
  assert.ok(await held() <= before, 'what was drawn before is let go');
  assert.deepEqual(both.said, []);
  await both.context().close();
});
