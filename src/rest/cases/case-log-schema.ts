import type { Case } from '../../ports/case-repository.ts'
import { instantText } from '../http/list-params.ts'

/** One entry. `by` is null for a system. */
export type Log = Case['logs'][number]
type Shown = (value: never) => unknown

const caseOf: Shown = (id: number) => ({ eactId: id })
const statusOf: Shown = (value: {
  readonly status: number
  readonly custom: number
  readonly holdUntilMs?: number
  readonly holdComment?: string | null
}) => {
  const { status, custom, holdUntilMs, holdComment = null } = value
  const hold = holdUntilMs === undefined ? {} : { onHoldToTs: instantText(holdUntilMs), onHoldComment: holdComment }
  return { status, emsStatus: { emstId: custom }, ...hold }
}

/** What was changed → how its values are shown. Other values are shown unchanged. */
const SHOWN: Readonly<Record<string, Shown>> = {
  created: statusOf,
  status: statusOf,
  'merged into': caseOf,
  'merged from': caseOf,
  'taken apart': caseOf,
  link: caseOf,
  category: (id: number) => ({ ctnoId: id }),
  priority: (id: number) => ({ emprId: id, empriId: id }),
  team: (id: number) => ({ ucquId: id }),
  deadline: (atMs: number) => instantText(atMs),
  'assigned user': (id: number) => ({ userId: id }),
  follower: (ids: readonly number[]) => ids.map((userId) => ({ userId })),
  contact: (id: number) => ({ eeexId: id }),
  files: (ids: readonly number[]) => ids.map((cfreId) => ({ cfreId })),
  values: (values: readonly { readonly field: number; readonly value: string }[]) =>
    values.map(({ field, value }) => ({ emprId: field, value })),
}
/** Our name of a field → the contract's. */
const NAMES: Readonly<Record<string, string>> = { title: 'description', team: 'queue', tags: 'emsTags' }

/** The entry with the contract's names and values. `moved` is not shown: it is kept to undo a merge. */
export function shownLogs(log: Log): Log[] {
  const { what, was, becomes } = log
  if (what === 'moved') return []
  const shown = (value: unknown) => (value === null ? null : (SHOWN[what]?.(value as never) ?? value))
  return [{ ...log, what: NAMES[what] ?? what, was: shown(was), becomes: shown(becomes) }]
}
