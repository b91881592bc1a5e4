// SPDX-License-Identifier: Apache-2.0
// The page of a fit: its machine, its units, every figure, in both colours of the desk.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { holdfast, launch } from './browser.mjs';

let browser;
before(async () => {
  browser = await launch();
  const log = ['--set', 'forces.floor.level=8', '--set', 'record=[block.position]', '--every', '5', '-q'];
  holdfast('run', 'spring-pull', '--method', 'discrete', '--step', '1e-3', '--duration', '1', ...log, '-o', 'log.csv');
  holdfast('fit', 'spring-pull', '--set', 'method={type: discrete, step: 1e-3}', '--log', 'log.csv', '--match', 'block.position=1e-5*floor(1e5*block.position + 0.5):1e-5', // a sensor with steps
    '--free', 'forces.floor.level,bodies.block.mass', '--report', 'fit.html', '--quiet');
});
after(() => browser?.close());

const openFit = async (options) => {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(pathToFileURL(`${process.env.FOLDER}/fit.html`).href);
  return page;
};

test('names the machine, its units and the verdict, as wide as the window', async () => {
  const page = await openFit({ viewport: { width: 360, height: 740 } });
  assert.match(await page.locator('h1').textContent(), /pull/i);
  assert.match(await page.locator('.verdict p').first().textContent(), /^(Trustworthy|Doubtful)/);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
});

test('has every figure', async () => {
  const page = await openFit({});
  const heads = (await page.locator('.figure h3').allTextContents()).map((text) => text.trim());
  assert.deepEqual(heads, ['forces.floor.level rise [%]', 'bodies.block.mass rise [%]', 'block.position m', 'residual m',
    'memory of the residual autocorrelation', 'what each number does m']);
  for (const [i, card] of (await page.locator('.figure').all()).entries()) {
    const curves = await card.locator('polyline').evaluateAll((lines) => lines.map((line) => line.points.length));
    assert.ok(curves.length > 0 && curves.every((count) => count > 1), `${heads[i]}: ${curves}`);
  }
});

test('profiles rise on both sides of the result, and mark the interval', async () => {
  const page = await openFit({});
  for (const card of await page.locator('.small .figure').all()) {
    const heights = await card.locator('circle').evaluateAll((dots) => dots.map((dot) => Number(dot.getAttribute('cy'))));
    assert.equal(heights.length, 7);
    assert.ok(heights[0] < heights[3] && heights[6] < heights[3], `${heights}`); // y grows downward
    assert.equal(await card.locator('rect.band').count(), 1);
  }
});

test('what a number does has its step beside its name, and is not zero', async () => {
  const page = await openFit({});
  const card = page.locator('.figure').last();
  const names = await card.locator('.legend span').allTextContents();
  assert.match(names[0], /^forces\.floor\.level \+[0-9.e-]+ N$/);
  assert.match(names[1], /^bodies\.block\.mass \+[0-9.e-]+ kg$/);
  const spans = await card.locator('polyline').evaluateAll((lines) => lines.map((line) => line.getBBox().height));
  assert.ok(spans.every((height) => height > 10), `${spans}`);
});

test('follows the colours of the desk', async () => {
  const shades = [];
  for (const colorScheme of ['light', 'dark']) {
    const page = await openFit({ colorScheme });
    shades.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  }
  assert.notEqual(shades[0], shades[1]);
});
