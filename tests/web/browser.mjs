// SPDX-License-Identifier: Apache-2.0
// What the tests of the page share: making pages, and opening them in Chromium.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(new URL('../../web/package.json', import.meta.url));
const { chromium } = require('playwright-core');
export const { HOLDFAST, MAKE_PAGE, CHROMIUM, FOLDER } = process.env;

const inFolder = (name) => path.join(FOLDER, name);

export function holdfast(...words) {
  return execFileSync(HOLDFAST, words, { cwd: FOLDER, encoding: 'utf8' });
}

export function makePage(kind) {
  execFileSync(MAKE_PAGE, [kind, inFolder(`${kind}.html`)]);
  return `${kind}.html`;
}

const FLAGS = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];

export const launch = () => chromium.launch({ executablePath: CHROMIUM, args: FLAGS });

// Opens a page from disk and waits until it is drawn. `said`: messages of the console, errors,
// requests to anywhere but the file itself, dialogs.
export async function open(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, ...options });
  const page = await context.newPage();
  const said = [];
  const url = pathToFileURL(inFolder(file)).href;
  page.on('console', (message) => said.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(`error: ${error.stack}`));
  page.on('request', (request) => request.url() !== url && said.push(`request: ${request.url().slice(0, 200)}`));
  page.on('dialog', (dialog) => { said.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  const start = performance.now();
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'true' || document.querySelector('.fatal'), null, { timeout: 90000 });
  page.loadSeconds = (performance.now() - start) / 1000;
  await page.waitForFunction(() => document.documentElement.dataset.complete === 'true' || document.querySelector('.fatal'), null, { timeout: 90000 });
  page.completeSeconds = (performance.now() - start) / 1000;
  page.said = said;
  return page;
}

// How many different colours a canvas shows.
const colorsOn = (locator) => locator.evaluate((canvas) => {
  const copy = document.createElement('canvas');
  copy.width = Math.min(canvas.width, 600);
  copy.height = Math.min(canvas.height, 400);
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0, copy.width, copy.height);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add(`${data[i]},${data[i + 1]},${data[i + 2]},${data[i + 3]}`);
  return seen.size;
});

// Whether a canvas comes to show more than `colors` colours. A canvas is empty after a change of its size until its next
// frame, which a busy machine may draw seconds later: looks again until then.
export async function isDrawn(locator, colors, seconds = 20) {
  const end = performance.now() + 1000 * seconds;
  while (await colorsOn(locator) <= colors) {
    if (performance.now() > end) return false;
    await new Promise((wake) => { setTimeout(wake, 100); });
  }
  return true;
}
