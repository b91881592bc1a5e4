// SPDX-License-Identifier: Apache-2.0
// The list from which channels are chosen.
import { h, shorten } from './dom.js';
import { tailOf } from './plots.js';

const MOST = 400; // lines shown at once

export function picker(groups, stack) {
  const lines = h('div.picker-list', { role: 'group', 'aria-label': 'Channels' });
  const filter = h('input.search', {
    type: 'search', placeholder: 'Filter channels', 'aria-label': 'Filter channels', oninput: () => fill(),
  });
  const note = h('p.note');
  const body = h('div.picker', {}, filter, lines, note);

  function fill() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (name) => words.every((word) => name.toLowerCase().includes(word));
    lines.replaceChildren();
    let shown = 0, all = 0;
    for (const group of groups.values()) {
      const names = group.channels.filter(fits);
      all += names.length;
      if (!names.length || shown > MOST) continue;
      shown += names.length;
      lines.append(line(group.name, group.unit, group.channels, names.length > 1 || group.channels.length > 1));
      if (group.channels.length > 1) {
        const row = h('div.picker-axes');
        for (const name of names) row.append(line(name, '', [name], false, tailOf(name, group.name)));
        lines.append(row);
      }
    }
    note.textContent = shown < all ? `${all - shown} more: filter to see them.` : all ? '' : 'No channel has this name.';
  }

  function line(name, unit, channels, whole, text = name) {
    const on = channels.filter((channel) => stack.has(channel)).length;
    const box = h('input', {
      type: 'checkbox', checked: on > 0, onchange: () => stack.set(channels, box.checked),
    });
    box.indeterminate = whole && on > 0 && on < channels.length;
    return h('label.picker-line', { title: name.slice(0, 300) }, box, h('span', {}, shorten(text, 44)),
      unit && h('span.unit', {}, unit));
  }

  return { body, fill, focus: () => filter.focus() };
}
