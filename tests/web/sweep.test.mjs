// SPDX-License-Identifier: Apache-2.0
// The page of a sweep: everything is drawn, a click opens a case, and the case runs again.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDrawn, holdfast, launch, open } from './browser.mjs';

let browser, page;
before(async () => {
  browser = await launch();
  holdfast('sweep', 'spring-pull', '--vary', 'floor.level=5:15:6', '--vary', 'block.mass=log:0.5:4:5',
    '--of', 'max(abs(block.velocity))', '--of', 'stick(floor)', '--regimes', '-o', 'map.h5', '-q');
  holdfast('report', 'map.h5', '-o', 'map.html');
  page = await open(browser, 'map.html');
});
after(() => browser?.close());

test('says nothing, asks nobody, names the sweep', async () => {
  assert.deepEqual(page.said, []);
  assert.match(await page.locator('.subtitle').textContent(), /^30 cases · 0 failed/);
});

test('map, parallel coordinates and pairs are drawn', async () => {
  for (const name of ['#map', '#parallel', '#matrix']) {
    assert.ok(await isDrawn(page.locator(name), 10), `${name} has colours`);
  }
});

test('it follows the window, the colours of the desk, and prints', async () => {
  const other = await open(browser, 'map.html', { viewport: { width: 1400, height: 900 } });
  const spill = () => other.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const darkest = () => other.locator('#map').evaluate((canvas) => { // of the ticks, left of the map
    const { data } = canvas.getContext('2d').getImageData(0, 0, 60, canvas.height);
    let least = 255;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200) least = Math.min(least, data[i]);
    return least;
  });
  for (const [colorScheme, fits] of [['dark', (least) => least > 150], ['light', (least) => least < 100]]) {
    await other.emulateMedia({ colorScheme });
    let least = await darkest();
    for (let tries = 0; tries < 40 && !fits(least); ++tries) { // the page hears of it a little later
      await other.waitForTimeout(50);
      least = await darkest();
    }
    assert.ok(fits(least), `ticks of ${least} of 255 in the ${colorScheme}`);
  }
  for (const width of [360, 900]) {
    await other.setViewportSize({ width, height: 740 });
    await other.waitForFunction((most) => document.querySelector('#map').clientWidth <= most && document.querySelector('#map').clientWidth > most - 120, width);
    assert.ok(await spill() <= 0, `${width} wide`);
  }
  assert.ok((await other.pdf()).length > 20000);
  await other.close();
});

test('a click opens a case, with the command that runs it again', async () => {
  const box = await page.locator('#map').boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const command = await page.locator('#case pre').textContent();
  assert.match(command, /^holdfast sweep map\.h5 --rerun \d+ -o case-\d+\.h5/);
  const row = command.match(/--rerun (\d+)/)[1];
  assert.match(holdfast('sweep', 'map.h5', '--rerun', row), /the same to the bit/);
});

test('a legend says what the colours mean, a regime has a colour of its own', async () => {
  assert.match(await page.locator('#legend').textContent(), /\d/);
  holdfast('sweep', 'spring-pull', '--vary', 'floor.level=5:15:4', '--vary', 'block.mass=1,-1,2',
    '--of', 'regime=(stick(floor) > 0.5) + (slip(floor) > 0.2)', '-o', 'regimes.h5', '-q');
  holdfast('report', 'regimes.h5', '-o', 'regimes.html', '--runs', 'runs');
  const other = await open(browser, 'regimes.html');
  const levels = await other.evaluate(() => holdfast.table.columns.find((c) => c.name === 'regime').regimes);
  assert.ok(levels.length >= 1 && levels.every(Number.isInteger));
  assert.equal(await other.locator('#legend .key').count(), levels.length);
  // A case that ran opens its run; one that failed has none
  const rows = await other.evaluate(() => {
    const v = holdfast.table.columns.find((c) => c.role === 'verdict');
    const at = (word) => [...v.values].findIndex((x) => v.words[x] === word);
    return [at('trustworthy'), at('failed')];
  });
  await other.evaluate((row) => holdfast.choose(row), rows[1]);
  assert.equal(await other.locator('#case a').count(), 0);
  await other.evaluate((row) => holdfast.choose(row), rows[0]);
  const [run] = await Promise.all([other.context().waitForEvent('page'), other.locator('#case a').click()]);
  await run.waitForSelector('h1');
  assert.match(run.url(), new RegExp(`/runs/case-${rows[0]}\\.html$`));
  assert.match(await run.title(), /Holdfast/);
  assert.deepEqual(other.said, []);
});

test('the numbers are those of the table', async () => {
  const json = JSON.parse(holdfast('sweep', 'map.h5', '--json'));
  const ranges = await page.evaluate(() => Object.fromEntries(holdfast.table.columns
    .filter((c) => !c.words).map((c) => [c.name, [c.low, c.high]])));
  for (const [name, column] of Object.entries(json.columns)) {
    if (column.least !== undefined) assert.deepEqual(ranges[name], [column.least, column.largest], name);
  }
});

test('another column, and a range', async () => {
  const before = await page.locator('#map').screenshot();
  await page.locator('#pick-colour').selectOption({ index: 0 });
  assert.notDeepEqual(await page.locator('#map').screenshot(), before, 'the map changes');
  await page.locator('#parallel').scrollIntoViewIfNeeded();
  const box = await page.locator('#parallel').boundingBox();
  await page.mouse.move(box.x + 60, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y + 200);
  await page.mouse.up();
  assert.equal(await page.evaluate(() => holdfast.state.ranges.size), 1);
  assert.deepEqual(page.said, []);
});
