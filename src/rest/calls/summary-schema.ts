/** Summaries of calls on the wire (contract.md §4.2, D-16). */
import { Type } from 'typebox'
import type { Summary } from '../../ports/summaries.ts'
import { InstantOut, instantText } from '../http/list-params.ts'

const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** The object as it is described in the reference. */
export const CallSummary = Type.Object({
  eactId: Type.Integer({ description: 'The call activity.' }),
  phoneCallSummaryId: Type.Integer({ description: 'The same: a call has one summary.' }),
  status: Type.String({ description: 'pending, ready, failed' }),
  text: TextOrNull('Plain text; show it as text and never as HTML. Null until there is one.'),
  language: TextOrNull('BCP 47; null until there is a generated text.'),
  version: Type.Integer({ description: 'Grows by one with every text; 0 until there is one.' }),
  creationTs: InstantOut('When it was begun.'),
  updateTs: InstantOut('When it was changed last.'),
  source: Type.String({ description: 'generated, edited' }),
  updatedBy: Type.Union([Type.Object({ userId: Type.Integer() }), Type.Null()], {
    description: 'Who wrote the text; null for a machine or a system.',
  }),
})

/** The object itself. Why one could not be made is ours to know: it may name services and addresses. */
export function summaryOut(summary: Summary) {
  const { activity, state, text, language, version, createdAtMs, updatedAtMs, source, editedBy } = summary
  return {
    ...{ eactId: activity, phoneCallSummaryId: activity, status: state, text, language, version },
    creationTs: instantText(createdAtMs),
    updateTs: instantText(updatedAtMs),
    source,
    updatedBy: editedBy === null ? null : { userId: editedBy },
  }
}
