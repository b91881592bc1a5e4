// SPDX-License-Identifier: Apache-2.0
// Pages of machines of every kind at a desk, in the dark, on a phone and on paper: nothing is wider than
// the window, the machine is seen, glyphs of friction do not cover it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { isDrawn, FOLDER, holdfast, launch, open } from './browser.mjs';

const PART = 'v -0.25 -0.12 0\nv 0.25 -0.12 0\nv 0 0.12 0\nv 0 0 0.15\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n';
const ROBOT = `<mujoco model="walker"><asset><mesh name="part" file="part.obj"/></asset><worldbody><geom name="floor" type="plane" size="2 2 0.1"/>
<body name="trunk" pos="0 0 0.4"><freejoint/><geom type="box" size="0.2 0.1 0.05" mass="3" group="3"/>
<geom type="mesh" mesh="part" contype="0" conaffinity="0" mass="0.1" rgba="0.8 0.2 0.1 1"/>
<body name="left" pos="0.1 0.1 0"><joint name="hip_l" axis="0 1 0" frictionloss="8"/><geom type="capsule" fromto="0 0 0 0 0 -0.35" size="0.03" mass="0.5"/></body>
<body name="right" pos="-0.1 -0.1 0"><joint name="hip_r" axis="0 1 0" frictionloss="8"/><geom type="capsule" fromto="0 0 0 0 0 -0.35" size="0.03" mass="0.5"/></body>
</body></worldbody></mujoco>`;

const MACHINES = ['two-link-arm', 'winch-brake', 'clutch', 'conveyor-line', 'rps-robot-sine', 'robot'];
let browser;
before(async () => {
  browser = await launch();
  writeFileSync(path.join(FOLDER, 'robot.xml'), ROBOT);
  writeFileSync(path.join(FOLDER, 'part.obj'), PART);
});
after(() => browser?.close());

const fits = (page) => page.evaluate(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const { left, right } = document.querySelector('.view3d').getBoundingClientRect();
  const outside = [...document.querySelectorAll('.view-tools button, .view-key, .rule, .view-note')].filter((element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && (box.left < left - 1 || box.right > right + 1);
  }).map((element) => element.className || element.textContent);
  return { spill: scrollWidth - clientWidth, outside };
});

// The largest dial of the view, as a part of its height: dials have one size on the screen.
const largestDial = (page) => page.evaluate(() => Math.max(0, ...holdfast.view.machines[0].forces.views
  .filter(({ dial }) => dial).map(({ dial }) => dial.material.uniforms.radius.value)));

// On paper every canvas has as many dots across and down as its box has, in one ratio: nothing is stretched.
async function printsWithoutStretching(page) {
  await page.setViewportSize({ width: 718, height: 1000 }); // A4 within its margins
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  const stretched = await page.evaluate(() => [...document.querySelectorAll('canvas')].map((canvas) => {
    const { width, height } = canvas.getBoundingClientRect();
    const stretch = (canvas.width / width) / (canvas.height / height);
    return width && height && Math.abs(stretch - 1) > 0.1 ? `${canvas.className || canvas.parentElement.className}: ${stretch}` : '';
  }).filter(Boolean));
  assert.deepEqual(stretched, []);
  assert.ok(await isDrawn(page.locator('.view3d canvas'), 50), 'the machine is drawn on paper');
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: 'screen' });
}

for (const name of MACHINES) {
  test(`${name}: desk, dark, phone, paper`, async () => {
    const model = name === 'robot' ? 'robot.xml' : name;
    holdfast('run', model, '-q', '--duration', '0.1', '--report', `${name}.html`);
    const page = await open(browser, `${name}.html`, { viewport: { width: 1400, height: 900 } });
    for (const [label, width, height, scheme] of [['desk', 1400, 900, 'light'], ['dark', 1400, 900, 'dark'], ['phone', 360, 740, 'light']]) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme });
      await page.waitForTimeout(300);
      const { spill, outside } = await fits(page);
      assert.ok(spill <= 0, `${label}: ${spill} pixels wider than the window`);
      assert.deepEqual(outside, [], `${label}: outside of the view`);
      assert.ok(await isDrawn(page.locator('.view3d canvas'), 50), `${label}: the machine is drawn`);
    }
    // The trunk is shown by its mesh, in its colour, and not by the box that it touches with
    const trunk = await page.evaluate(() => holdfast.view.machines[0].bodies.find(({ figures }) => figures.length)?.figures
      .map(({ shape, color, triangles }) => [shape, color, triangles.length]));
    assert.deepEqual(trunk, name === 'robot' ? [['triangles', 0xcc331a, 12]] : undefined);
    const dial = await largestDial(page);
    assert.ok(dial < 0.2 && dial > 0, `the largest dial takes ${dial} of the height`);
    assert.ok((await page.pdf()).length > 20000, 'it prints');
    await printsWithoutStretching(page);
    assert.deepEqual(page.said, []);
    await page.close();
  });
}

test('portraits show what moves, not rounding', async () => {
  holdfast('run', 'conveyor-line', '-q', '--duration', '0.5', '--report', 'boxes.html');
  const page = await open(browser, 'boxes.html');
  const across = await page.locator('.portrait select[aria-label=across]').evaluateAll((boxes) => boxes.map((box) => box.value));
  assert.ok(across.includes('box-1.position.x'), across.join());
  assert.ok(!across.some((name) => /^box-1\.position\.[yz]$/.test(name)), across.join()); // it slides along x alone
  await page.close();
});

// The pointer over a link names it and its joint.
test('the pointer names links and joints', async () => {
  holdfast('run', 'robot.xml', '-q', '--duration', '0.05', '--report', 'pointed.html');
  const page = await open(browser, 'pointed.html', { viewport: { width: 1400, height: 900 } });
  const [x, y] = await page.evaluate(() => {
    const { view } = holdfast, machine = view.machines[0];
    const part = machine.parts[machine.bodies.findIndex(({ name }) => name.endsWith('hip_l'))];
    const at = part.localToWorld(part.position.clone().set(0, 0, -0.25)).project(view.camera); // of the leg
    const { left, top, width, height } = view.canvas.getBoundingClientRect();
    return [left + ((at.x + 1) / 2) * width, top + ((1 - at.y) / 2) * height];
  });
  await page.mouse.move(x - 300, y);
  await page.mouse.move(x, y);
  await page.locator('.view-label').waitFor({ state: 'visible' });
  assert.match(await page.locator('.view-label').textContent(), /^walker\.hip_l · .*0\.5 kg$/);
  assert.equal(await page.locator('.view-note').isVisible(), false, 'an empty note is not shown');
  await page.close();
});
