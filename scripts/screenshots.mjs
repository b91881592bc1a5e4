// SPDX-License-Identifier: Apache-2.0
// Pictures of pages for the documentation, by Chromium: docs/figures/page-NAME.png.
//   scripts/screenshots.sh [NAME=PART...]      a run, and the part of it that has passed
import path from 'node:path';
import { FOLDER, holdfast, launch, open } from '../tests/web/browser.mjs';

const wanted = process.argv.slice(2).map((word) => word.split('='));
const browser = await launch();
for (const [model, part] of wanted) {
  const name = path.basename(model, '.yaml');
  holdfast('run', model, '-q', '--report', `${name}.html`);
  const page = await open(browser, `${name}.html`, { viewport: { width: 1200, height: 760 } });
  await page.locator('.scrub').evaluate((slider, share) => {
    slider.value = share * Number(slider.max);
    slider.dispatchEvent(new Event('input'));
  }, Number(part));
  await page.waitForTimeout(500);
  await page.screenshot({ path: path.join(process.env.FIGURES, `page-${name}.png`) });
  if (page.said.length) throw new Error(page.said.join('\n'));
  await page.close();
}
await browser.close();
console.log(`${wanted.length} pictures, made in ${FOLDER}`);
