// SPDX-License-Identifier: Apache-2.0
// Builds index.html and everything it uses into one file, dist/page.html. Its content security
// policy names the one script and the one style sheet by their hashes: nothing else runs.
import { createHash } from 'node:crypto';
import { defineConfig } from 'vite';

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function onePage() {
  return {
    name: 'one-page',
    enforce: 'post',
    generateBundle(options, bundle) {
      const files = Object.values(bundle);
      const page = files.find((file) => file.fileName.endsWith('.html'));
      const script = files.find((file) => file.type === 'chunk');
      const style = files.find((file) => file.fileName.endsWith('.css'));
      if (files.length !== 3 || !page || !script || !style) {
        this.error(`expected a page, a script and a style sheet: ${files.map((f) => f.fileName)}`);
      }
      const code = script.code.trim().replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
      const css = String(style.source).trim();
      const policy = [
        "default-src 'none'", `script-src ${hash(code)}`, `style-src ${hash(css)}`,
        'img-src data: blob:', "base-uri 'none'", "form-action 'none'",
      ].join('; ');
      // Replacements are functions: `$` means nothing in them.
      const html = String(page.source)
        .replace(/<script[^>]*src=[^>]*><\/script>\s*/, '')
        .replace(/<link[^>]*stylesheet[^>]*>\s*/, '')
        .replace('<!--policy-->',
          () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
        .replace('<!--style-->', () => `<style>${css}</style>`)
        .replace('<!--script-->', () => `<script>${code}</script>`);
      for (const file of files) {
        delete bundle[file.fileName];
      }
      this.emitFile({ type: 'asset', fileName: 'page.html', source: html });
    },
  };
}

export default defineConfig({
  base: './',
  build: {
    target: 'es2021',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 1e8,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 4000,
    rollupOptions: { output: { format: 'iife', inlineDynamicImports: true } },
  },
  plugins: [onePage()],
});
