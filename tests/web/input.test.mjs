// SPDX-License-Identifier: Apache-2.0
// Recordings that are hostile, empty or full of holes.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { isDrawn, FOLDER, holdfast, launch, makePage, open } from './browser.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

// Nothing was executed, and nothing became an element.
async function harmless(page) {
  assert.deepEqual(page.said, []);
  assert.equal(await page.locator('.fatal').count(), 0);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  const scripts = await page.evaluate(() => [...document.scripts].filter((script) => !script.type).length);
  assert.equal(scripts, 1, 'one script');
  assert.equal(await page.locator('img, iframe, object, embed, b b, main i i').count(), 0);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, 'nothing sticks out');
}

test('hostile names are text', async () => {
  const page = await open(browser, makePage('hostile'));
  await harmless(page);
  assert.equal(await page.locator('h1').textContent(), '<script>window.hacked=6</script> "quoted" & <b>bold</b>');
  assert.match(await page.locator('.model pre').textContent(), /^<\/pre><\/script><script>/);
  await page.getByRole('button', { name: 'Channels' }).click();
  assert.match(await page.locator('.picker-list').textContent(), /<script>window\.hacked=1<\/script>/);
  await page.getByRole('searchbox').fill('WWWW');
  assert.equal(await page.locator('.picker-line').count(), 1, 'a name of 10,000 characters can be found');
  await harmless(page);
});

test('a policy forbids what is not the page\'s own', async () => {
  const page = await open(browser, makePage('one'));
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.hacked = 12';
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.ok(page.said.some((line) => /Content Security Policy/.test(line)), 'the browser says so');
});

test('a hostile CSV', async () => {
  writeFileSync(path.join(FOLDER, 'hostile.csv'), `time,<script>window.hacked=1</script>,${'x'.repeat(10000)}\n0,1,2\n1,2,3\n`);
  holdfast('report', 'hostile.csv');
  await harmless(await open(browser, 'hostile.html'));
});

test('a hostile model name', async () => {
  writeFileSync(path.join(FOLDER, 'hostile.yaml'), [
    'name: "</title><script>window.hacked=1</script>\\"\'"', 'method: {type: rk4, step: 1e-3}', 'duration: 0.1',
    'bodies:', '  block: {type: mass, dim: 1, mass: 1, position: 0.1}', 'forces:',
    '  - {name: spring, on: block, type: spring, stiffness: 100} # </script><script>window.hacked=2</script>'].join('\n'));
  holdfast('run', './hostile.yaml', '-q', '--report', 'model.html');
  const page = await open(browser, 'model.html');
  await harmless(page);
  assert.match(await page.title(), /^<\/title><script>/);
});

test('gaps are gaps, and are told', async () => {
  const page = await open(browser, makePage('gaps'));
  assert.deepEqual(page.said, []);
  assert.match(await page.locator('.plot-card .note').first().textContent(), /100 values are not a finite number/);
  const holes = await page.evaluate(() => holdfast.stack.cards[0].plot.data[1].filter((value) => value === null).length);
  assert.equal(holes, 100);
});

test('an empty run', async () => {
  const page = await open(browser, makePage('empty'));
  assert.deepEqual(page.said, []);
  assert.match(await page.locator('.notes').textContent(), /no samples/);
  assert.match(await page.locator('.plot .empty').first().textContent(), /no samples/);
});

test('one sample is a point', async () => {
  const page = await open(browser, makePage('one'));
  assert.deepEqual(page.said, []);
  assert.match(await page.locator('.notes').textContent(), /one sample/);
  assert.ok(await isDrawn(page.locator('#time canvas').first(), 10));
});
