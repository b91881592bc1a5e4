// SPDX-License-Identifier: Apache-2.0
// A film of the 3-D view: the run is played from its beginning and what the view shows is kept as WebM.
import { h } from './dom.js';
import { setTime, state } from './state.js';

const KINDS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
const RATE = 30, BITS = 6e6; // frames and bits a second

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
    const stream = canvas.captureStream(RATE);
    recorder = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond: BITS });
    recorder.ondataavailable = ({ data }) => data.size && chunks.push(data);
    recorder.onstop = () => {
      stream.getTracks().forEach((track) => track.stop());
      recorder = null;
      button.textContent = 'Film';
      button.setAttribute('aria-pressed', 'false');
      save(new Blob(chunks, { type: 'video/webm' }), fileName(title));
    };
    button.textContent = 'Stop';
    button.setAttribute('aria-pressed', 'true');
    const { full } = state, start = performance.now();
    setTime(full.min);
    recorder.start(500);
    const tick = () => {
      if (!recorder || recorder.state !== 'recording') return;
      const time = full.min + ((performance.now() - start) / 1000) * state.speed;
      setTime(time);
      if (time >= full.max) recorder.stop();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
  return button;
}
