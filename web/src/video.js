// SPDX-License-Identifier: Apache-2.0
// A film of the 3-D view: the run is played from its beginning and what the view shows is kept as WebM.
import { h } from './dom.js';
import { setTime, state } from './state.js';

const KINDS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
const BITS = 6e6; // a second
const SLICE = 250, PATIENCE = 15000; // ms: between pieces of the file; that the encoder may take for the first

const kindOf = () => (globalThis.MediaRecorder ? KINDS.find((kind) => MediaRecorder.isTypeSupported(kind)) : undefined);

function save(blob, name) {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

const fileName = (title) => `${title.replace(/[^\w.-]+/g, '-').slice(0, 60) || 'run'}.webm`;

// A button that films the run at the chosen speed; a second click ends the film early. Null where the
// browser cannot film.
export function filmButton(canvas, title) {
  const kind = kindOf();
  if (!kind || !canvas.captureStream) return null;
  let recorder = null;
  const button = h('button.chip', { title: 'Keep a film of this view (WebM), at the speed chosen below', 'aria-pressed': 'false', onclick: () => (recorder ? recorder.stop() : film()) }, 'Film');

  function film() {
    const chunks = [];
    const stream = canvas.captureStream(0), [track] = stream.getVideoTracks();
    recorder = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond: BITS });
    recorder.ondataavailable = ({ data }) => data.size && chunks.push(data);
    recorder.onstop = () => {
      track.stop();
      recorder = null;
      button.textContent = chunks.length ? 'Film' : 'No film';
      button.setAttribute('aria-pressed', 'false');
      if (chunks.length) save(new Blob(chunks, { type: 'video/webm' }), fileName(title));
    };
    button.textContent = 'Stop';
    button.setAttribute('aria-pressed', 'true');
    const { full } = state, start = performance.now();
    const length = ((full.max - full.min) / state.speed) * 1000;
    setTime(full.min);
    recorder.start(SLICE);
    // A picture for each that is drawn. On a slow machine the film ends when its first piece is there.
    const tick = () => {
      if (!recorder || recorder.state !== 'recording') return;
      const passed = performance.now() - start;
      track.requestFrame();
      setTime(full.min + (passed / 1000) * state.speed);
      if (passed >= length && (chunks.length || passed > length + PATIENCE)) recorder.stop();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
  return button;
}
