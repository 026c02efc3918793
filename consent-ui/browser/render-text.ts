import { type Segment, displaySegments } from '../../src/contract/display.js';
import { el } from './dom.js';

type Mark = Extract<Segment, { kind: 'mark' }>;

/**
 * Text from somebody else, as it is, with every character that could hide or disguise something made visible. The whole
 * is isolated, so it cannot reorder what stands beside it.
 */
export function renderText(text: string): HTMLElement {
  return el('bdi', { class: 'text' }, ...displaySegments(text).flatMap(renderSegment));
}

/** How many characters of the text {@link renderText} marks, leaving out line breaks and tabs. */
export function countUnusual(text: string): number {
  return displaySegments(text).filter((segment) => segment.kind === 'mark' && !isLayout(segment))
    .length;
}

function renderSegment(segment: Segment): (Node | string)[] {
  if (segment.kind === 'text') return [segment.text];
  if (segment.codePoint === 0x0a) return [mark(segment, '↵', 'mark-layout'), el('br')];
  if (segment.codePoint === 0x09) return [mark(segment, '⇥', 'mark-layout'), '\t'];
  const { glyph, label } = segment;
  return [mark(segment, glyph === undefined ? label : `${glyph} ${label}`, 'mark')];
}

function mark({ label, reason }: Mark, text: string, className: string): HTMLElement {
  return el('span', { class: className, title: `${label}: ${MEANING[reason]}` }, text);
}

function isLayout({ codePoint }: Mark): boolean {
  return codePoint === 0x0a || codePoint === 0x09;
}

const MEANING: Readonly<Record<Mark['reason'], string>> = {
  control: 'a control character',
  bidi: 'changes the direction in which text is drawn',
  invisible: 'takes part in the text but is not drawn',
  combining: 'is drawn on top of the character before it',
  'unusual-space': 'a space that is not the ordinary one',
  surrogate: 'half a character',
  private: 'has no agreed meaning',
  lookalike: 'looks like a letter of another alphabet',
};
