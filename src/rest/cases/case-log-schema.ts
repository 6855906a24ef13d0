/** What was changed of a case, in the contract's names. */
import type { Case } from '../../ports/case-repository.ts'
import { instantText } from '../http/list-params.ts'

type Log = Case['logs'][number]
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

/** What was changed → how its values are shown; others are shown as they are. */
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
/** Words of the house → words of the contract. */
const NAMES: Readonly<Record<string, string>> = { title: 'description', team: 'queue', tags: 'emsTags' }

/** An entry of the log; none for what is only kept so that a merge can be undone. */
export function logOut({ what, was, becomes, why, atMs }: Log, user: unknown): object[] {
  if (what === 'moved') return []
  const shown = (value: unknown) => (value === null ? null : (SHOWN[what]?.(value as never) ?? value))
  const values = { oldValue: shown(was), newValue: shown(becomes) }
  return [{ what: NAMES[what] ?? what, ...values, reason: why, user, creationTs: instantText(atMs) }]
}
