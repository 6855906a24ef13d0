/** Summaries of calls on the wire (contract.md §4.2, D-16). */
import type { Summary } from '../../ports/recordings/summaries.ts'
import { instant, int, refOrNull, shape, text, textOrNull } from '../http/shape.ts'

/** The object itself. Why a summary failed is not shown: it may name services and addresses. */
export const SUMMARY = shape<Summary>({
  eactId: int(({ activity }) => activity, 'The call activity.'),
  phoneCallSummaryId: int(({ activity }) => activity, 'The same value as eactId: a call has one summary.'),
  status: text(({ state }) => state, 'pending, ready, failed'),
  text: textOrNull((summary) => summary.text, 'Plain text; show it as text and never as HTML. Null until it is ready.'),
  language: textOrNull(({ language }) => language, 'BCP 47; null until a text was generated.'),
  version: int(({ version }) => version, 'Increases by one with every text; 0 before the first one.'),
  creationTs: instant(({ createdAtMs }) => createdAtMs, 'When it was requested.'),
  updateTs: instant(({ updatedAtMs }) => updatedAtMs, 'When it was last changed.'),
  source: text(({ source }) => source, 'generated, edited'),
  updatedBy: refOrNull(
    'userId',
    ({ editedBy }) => editedBy,
    'The user who wrote the text; null for a machine or a system.',
  ),
})
