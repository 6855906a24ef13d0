/** Flows as programs read and write them. Our addition (calls-and-flows-56). */
import { Type } from 'typebox'
import { FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { FlowCanary } from '../../ports/flows/flow-canaries.ts'
import type { FlowMistake, FlowRevision, FlowWorkshop, LiveFlow } from '../../ports/flows/flow-revisions.ts'
import { InstantOut, instantText } from '../http/list-params.ts'
import { Refusal, refuse } from '../http/problem-response.ts'
import type { Asker } from '../http/route.ts'

/** Our choice: ten times the largest flow that we ship. */
export const TEXT_LENGTH_MAX = 200_000
const NOTE_LENGTH_MAX = 500

export const FlowPath = Type.Object({
  flow: Type.String({ maxLength: 100, description: 'The name of the flow, as its text says it.' }),
})

/** PostgreSQL keeps no NUL. */
const SHOWABLE = '^[^\\u0000]*$'

export const TextIn = (description: string) => {
  return Type.String({ minLength: 1, maxLength: TEXT_LENGTH_MAX, pattern: SHOWABLE, description })
}

export const NoteIn = Type.Optional(
  Type.String({ maxLength: NOTE_LENGTH_MAX, pattern: SHOWABLE, description: 'Why, for whoever reads the list.' }),
)

export const RevisionOut = Type.String({ description: 'The first 12 digits of the SHA-256 of the text.' })
export const AuthorOut = Type.String({ description: 'Who made it: a user, a credential, or a file and its node.' })
export const NoteOut = Type.Union([Type.String(), Type.Null()], { description: 'Why.' })
const WayOut = Type.Enum(['file', 'publish', 'rollback'], {
  description: 'How it became the live one: a file changed, somebody published it, or went back to it.',
})
const FlowOut = Type.String({ description: 'The name of the flow.' })

export const MistakeOut = Type.Object({
  line: Type.Integer({ description: 'From 1, as editors count.' }),
  column: Type.Integer({ description: 'From 1, as editors count.' }),
  severity: Type.Enum(['error', 'warn'], { description: 'A text with an error cannot be published.' }),
  message: Type.String({ description: 'What is wrong, and what to do.' }),
})

/** The hash of a text. */
export const REVISION_PATTERN = '^[0-9a-f]{12}$'

const Sentence = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const ChangesOut = Type.Object({
  step: Type.Union([Type.String(), Type.Null()], { description: 'The step; null for the flow itself.' }),
  what: Type.Enum(['new', 'gone', 'changed', 'renamed'], { description: 'What became of it.' }),
  oldName: Type.Union([Type.String(), Type.Null()], { description: 'Of a renamed step.' }),
  changes: Type.Array(
    Type.Object({ before: Sentence('What holds until then.'), after: Sentence('What holds from then on.') }),
    { description: 'What callers would notice, in the sentences of `flow describe`.' },
  ),
})

export const ShareOut = Type.Integer({ description: 'Share of the new calls that take it, in percent.' })

const OnTrialOut = Type.Object({
  revision: RevisionOut,
  percent: ShareOut,
  author: AuthorOut,
  note: NoteOut,
  begunTs: InstantOut('Since when.'),
  takenHere: Type.Boolean({ description: 'Whether calls of this node are drawn for it.' }),
})

export const LiveOut = Type.Object({
  flow: FlowOut,
  revision: RevisionOut,
  way: WayOut,
  author: AuthorOut,
  note: NoteOut,
  publishedTs: InstantOut('When it became the live one.'),
  takenHere: Type.Boolean({ description: 'Whether new calls of this node take it.' }),
  canary: Type.Union([OnTrialOut, Type.Null()], { description: 'The revision on trial; null without one.' }),
})

export const StoredOut = Type.Object({
  flow: FlowOut,
  revision: RevisionOut,
  live: Type.Boolean({ description: 'Whether new calls take it.' }),
  author: AuthorOut,
  note: NoteOut,
  creationTs: InstantOut('When it was published first, by `author` with `note`.'),
  way: Type.Union([WayOut, Type.Null()], { description: 'As for live revisions; null: it was on trial only.' }),
  publishedTs: InstantOut('When it became the live one, the last time; null: it was on trial only.'),
  lastAuthor: Type.Union([Type.String(), Type.Null()], { description: 'Who made it the live one, the last time.' }),
  lastNote: Type.Union([Type.String(), Type.Null()], { description: 'Why, the last time.' }),
})

export const TextOut = Type.Object({
  flow: FlowOut,
  revision: RevisionOut,
  author: AuthorOut,
  note: NoteOut,
  creationTs: InstantOut('When it was published first.'),
  text: Type.String({ description: 'The YAML.' }),
})

export const DraftOut = Type.Object({
  flow: FlowOut,
  author: AuthorOut,
  note: NoteOut,
  savedTs: InstantOut('When it was saved.'),
  text: Type.String({ description: 'The YAML; it may have errors.' }),
})

export const PublishedOut = Type.Object({
  flow: FlowOut,
  revision: RevisionOut,
  changed: Type.Boolean({ description: 'False: this revision was live already.' }),
  takenHere: Type.Boolean({ description: 'Whether new calls of this node take it; the others follow at once.' }),
})

/** As the list of flows shows it; `taken` is what new calls of this node take. */
export function shownLive(
  { flow, revision, way, author, note, atMs }: LiveFlow,
  canary: FlowCanary | undefined,
  node: Pick<FlowWorkshop, 'taken' | 'onTrial'>,
) {
  const takenHere = node.taken(flow) === revision
  const onTrial = canary && shownOnTrial(canary, node.onTrial(flow))
  return { flow, revision, way, author, note, publishedTs: instantText(atMs), takenHere, canary: onTrial ?? null }
}

function shownOnTrial({ revision, percent, author, note, begunAtMs }: FlowCanary, here: string | undefined) {
  return { revision, percent, author, note, begunTs: instantText(begunAtMs), takenHere: here === revision }
}

/** As the list of revisions shows it. */
export function shownStored({ isLive, createdAtMs, publishedAtMs, ...revision }: FlowRevision) {
  return {
    ...revision,
    live: isLive,
    creationTs: instantText(createdAtMs),
    publishedTs: instantText(publishedAtMs),
  }
}

/** Flows belong to the corporation of the configuration, as its numbers do (calls-and-flows-26). */
export function ownsFlows({ corporations }: Asker): boolean {
  return corporations.includes(FIRST_CORPORATION)
}

/** Throws the refusal of an asker who has no flows. */
export function mustOwnFlows(asker: Asker): void {
  if (ownsFlows(asker)) return
  throw new Refusal(refuse('notFound', 'there is no such flow: flows belong to the corporation of the configuration'))
}

/** A user by name, or else the public id of the credential. */
export function authorOf({ user, credential }: Asker): string {
  return user?.userName ?? credential
}

/** Refuses a text with errors, each with its place. */
export function refuseText(problems: readonly FlowMistake[]) {
  const found = problems.filter(({ severity }) => severity === 'error')
  const errors = found.slice(0, 50).map(({ line, column, message }) => {
    return { path: 'text', code: 'flow', message: `${line}:${column} ${message}` }
  })
  const detail = `the text has ${found.length} ${found.length === 1 ? 'error' : 'errors'}; nothing was published`
  return refuse('validation', detail, { errors })
}
