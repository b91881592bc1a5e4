// SPDX-License-Identifier: Apache-2.0
// What a person does with the view and the plots: point at bodies, click events, put channels
// together, film, close lists; and the force network of a heap.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { holdfast, launch, open } from './browser.mjs';

let browser, page;
before(async () => {
  browser = await launch();
  holdfast('run', 'oscillator-forced', '-q', '--report', 'forced.html');
  page = await open(browser, 'forced.html');
});
after(() => browser?.close());

// Where the middle of a body is in the window.
const placeOf = (it, name) => it.evaluate((wanted) => {
  const { view } = holdfast, machine = view.machines[0];
  const b = machine.bodies.findIndex((body) => body.name === wanted);
  const at = machine.parts[b].position.clone().applyMatrix4(view.world.matrixWorld).project(view.camera);
  const { left, top, width, height } = view.canvas.getBoundingClientRect();
  return [left + ((at.x + 1) / 2) * width, top + ((1 - at.y) / 2) * height];
}, name);

test('a body says its name, and shows its channels when it is clicked', async () => {
  const [x, y] = await placeOf(page, 'block');
  await page.mouse.move(x - 300, y);
  await page.mouse.move(x, y);
  await page.locator('.view-label').waitFor({ state: 'visible' });
  assert.match(await page.locator('.view-label').textContent(), /^block · \d/);
  await page.evaluate(async () => { for (const card of holdfast.stack.cards) await holdfast.stack.set(card.group.channels, false); });
  assert.equal(await page.locator('#time .plot-card').count(), 0);
  await page.mouse.click(x, y);
  await page.locator('#time .plot-card').first().waitFor();
  assert.match(await page.locator('#time .plot-card h3').first().textContent(), /^block\./);
});

test('the scale bar has a length, the axes have letters', async () => {
  assert.match(await page.locator('.scale-bar span').textContent(), /^[\d.]+ (cm|m)$/);
  assert.deepEqual(await page.locator('.rule text').allTextContents(), ['x', 'y', 'z']);
  const wide = await page.locator('.scale-bar i').evaluate((bar) => bar.getBoundingClientRect().width);
  assert.ok(wide > 30 && wide <= 95, `${wide} pixels`);
});

test('a click goes to the nearest event', async () => {
  const { time, all } = await page.evaluate(() => ({ time: holdfast.runs[0].events.time[2], all: holdfast.runs[0].events.count }));
  assert.equal(all, JSON.parse(holdfast('run', 'oscillator-forced', '--json')).event_list.length);
  assert.equal(await page.locator('.event-said').textContent(), `${all} events`);
  const holder = page.locator('.event-holder');
  await holder.scrollIntoViewIfNeeded();
  const box = await holder.boundingBox();
  const { min, max } = await page.evaluate(() => holdfast.state.view);
  const x = box.x + 66 + ((time - min) / (max - min)) * (box.width - 66 - 14) + 2;
  await page.mouse.move(x, box.y + 5);
  assert.match(await page.locator('.event-said').textContent(), /friction (stops|breaks away (forth|back))$/);
  await page.mouse.click(x, box.y + 5);
  assert.equal(await page.evaluate(() => holdfast.state.time), time);
});

test('channels are put together by dragging, and from the list', async () => {
  await page.evaluate(() => holdfast.stack.set(['block.position', 'block.velocity', 'friction.force'], true));
  const card = (name) => page.locator('.plot-card', { has: page.locator(`h3:has-text("${name}")`) });
  await card('friction.force').locator('h3').dragTo(card('block.velocity').locator('.plot'));
  await card('block.velocity').locator('.entry:has-text("friction.force")').waitFor();
  assert.equal(await card('block.velocity').locator('.entry').count(), 2);
  // Newtons have an axis of their own, on the right; a third unit is refused.
  assert.deepEqual(await page.evaluate(() => holdfast.stack.cards.find((one) => one.group.name === 'block.velocity').plot.axes.map(({ scale }) => scale)), ['x', 'y', 'other']);
  await card('block.velocity').locator('.adder').focus();
  await card('block.velocity').locator('.adder').selectOption('block.position');
  await card('block.velocity').locator('.note', { hasText: 'two units at most' }).waitFor();
  await card('block.velocity').locator('.entry:has-text("friction.force")').dblclick();
  await page.waitForFunction(() => holdfast.stack.cards.find((one) => one.group.name === 'block.velocity').entries.length === 1);
});

test('escape closes the list of channels', async () => {
  await page.keyboard.press('c');
  await page.locator('.picker-panel').waitFor({ state: 'visible' });
  await page.keyboard.press('Escape');
  await page.locator('.picker-panel').waitFor({ state: 'hidden' });
});

test('a film of the view is a WebM file', async () => {
  const film = page.locator('.chip', { hasText: 'Film' });
  await page.locator('.speed').selectOption('50');
  const download = page.waitForEvent('download');
  await film.click();
  const file = await download;
  assert.equal(file.suggestedFilename(), 'forced-oscillator-on-a-belt.webm');
  const bytes = readFileSync(await file.path());
  assert.equal(bytes.subarray(0, 4).toString('hex'), '1a45dfa3'); // as every WebM file begins
  assert.ok(bytes.length > 1000, `${bytes.length} bytes`); // how many pictures depends on the machine
  assert.deepEqual(page.said, []);
});

test('a heap has lines from body to body, as wide as their forces', async () => {
  holdfast('run', 'pile', '--variant', 'budget', '-q', '--duration', '0.3', '--report', 'pile.html');
  const heap = await open(browser, 'pile.html');
  await heap.locator('.scrub').evaluate((slider) => { slider.value = 2000; slider.dispatchEvent(new Event('input')); });
  const { count, pairs, forces } = await heap.evaluate(() => {
    const { forces: all, frames } = holdfast.view.machines[0], { network } = all;
    const { starts, stride, read } = network.pairs, kept = Math.floor((frames.count - 1) / stride);
    const rows = [...Array(starts[kept + 1] - starts[kept]).keys()].map((k) => starts[kept] + k);
    const wide = rows.map((row, k) => {
      const m = network.rods.instanceMatrix.array.slice(16 * k, 16 * k + 16);
      return [Math.hypot(m[0], m[1], m[2]), Math.hypot(read(row, 3), read(row, 4), read(row, 5)) / network.usual];
    });
    return { count: network.rods.count, pairs: rows.length, forces: wide.map(([width, force]) => width / Math.min(1.6, force)) };
  });
  assert.ok(count > 100, `${count} lines`);
  assert.equal(count, pairs);
  for (const part of forces) assert.ok(Math.abs(part / forces[0] - 1) < 1e-3, 'width is force');
  assert.match(await heap.locator('.view-note').textContent(), /their width is the force/);
  assert.match(await heap.locator('.tile', { hasText: 'budget used' }).locator('b').getAttribute('class'), /fair/);
});
