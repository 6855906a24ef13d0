/** `switchboard flow revisions`, `publish` and `rollback`: the revisions in the database, with or without a service. */
import { readFlowFor, readSetup } from '../app/read-installation.ts'
import type { FlowReading } from '../flow/read/read-flow.ts'
import { didYouMean, formatProblem } from '../kernel/file-problem.ts'
import type { FlowName } from '../kernel/ids.ts'
import type { FlowRevision, FlowRevisions, LiveFlow } from '../ports/flow-revisions.ts'
import { postgresFlowRevisions } from '../store/calls/flow-revisions.ts'
import { databaseOf, remarkOnPlace } from './data-place.ts'
import { type CliContext, textOf, unread } from './flow-check.ts'
import { withDatabase } from './with-database.ts'

export interface RevisionOptions {
  readonly note?: string
  readonly json?: boolean
}

interface Shop {
  readonly revisions: FlowRevisions
  readonly nowMs: number
  readonly author: string
  readonly write: (line: string) => void
  readonly json: boolean
  readonly note: string | null
  readonly read: (file: string, text: string) => FlowReading
}

/** The live revision of every flow, or all revisions of one. */
export function flowRevisions(flow: string | undefined, options: RevisionOptions, context: CliContext) {
  return inShop(false, options, context, async ({ revisions, write, json }) => {
    const found =
      flow === undefined
        ? (await revisions.live()).map(shownLive)
        : (await revisions.revisions(flow as FlowName)).map(shown)
    if (json) write(JSON.stringify({ revisions: found }, null, 2))
    else if (found.length > 0) for (const revision of found) write(lineOf(revision))
    else if (flow !== undefined) write(await noFlow(revisions, flow))
    else write(`no flow was published yet in ${databaseOf(context.settings)}`)
    return flow !== undefined && found.length === 0 ? 1 : 0
  })
}

/** Checks a flow and publishes it: new calls take it on every node. */
export function flowPublish(file: string, options: RevisionOptions, context: CliContext) {
  return inShop(true, options, context, async (shop) => {
    const text = textOf(file)
    if (text === undefined) return refused(shop, formatProblem(unread(file)))
    const { flow, problems } = shop.read(file, text)
    if (!flow) return refused(shop, ...problems.map(formatProblem), 'nothing was published; correct the errors')
    const { name, revision } = flow
    const signed = { author: shop.author, note: shop.note, atMs: shop.nowMs }
    const published = await shop.revisions.publish({ flow: name, revision, text, ...signed })
    return done(shop, name, revision, published === 'published')
  })
}

/** Makes an earlier revision live again; by default the newest one that is older than the live one. */
export function flowRollback(
  flow: string,
  wanted: string | undefined,
  options: RevisionOptions,
  context: CliContext,
): Promise<number> {
  return inShop(true, options, context, async (shop) => {
    const { revisions, author, note, nowMs } = shop
    const name = flow as FlowName
    const revision = await revisions.earlier(name, wanted)
    const stored = revision === undefined ? undefined : await revisions.read(revision)
    if (revision === undefined || !stored) return refused(shop, await nothingEarlier(revisions, flow, wanted))
    const { flow: fit, problems } = shop.read(`${flow}@${revision}`, stored.text)
    if (!fit) return refused(shop, ...problems.map(formatProblem), 'it does not fit the configuration any more')
    const { outcome } = await revisions.goBack(name, revision, { author, note, atMs: nowMs })
    return done(shop, name, revision, outcome === 'live')
  })
}

function inShop(
  writes: boolean,
  { json = false, note = '' }: RevisionOptions,
  { settings, env, write }: CliContext,
  work: (shop: Shop) => Promise<number>,
): Promise<number> {
  const setup = readSetup(settings)
  const read = (file: string, text: string) => readFlowFor(setup, file, text)
  // Only the answer may be on standard output.
  const progress = json ? (line: string) => void process.stderr.write(`${line}\n`) : write
  const author = env['USER'] ?? 'command line'
  return withDatabase({ settings, write: progress }, async ({ pools, nowMs }) => {
    const status = await work({
      revisions: postgresFlowRevisions(pools),
      nowMs,
      author,
      note: note || null,
      write,
      json,
      read,
    })
    const remark = remarkOnPlace(writes && status === 0 ? 'written to' : 'read from', settings)
    if (remark !== undefined) progress(remark)
    return status
  })
}

function done({ write, json, note }: Shop, flow: string, revision: string, changed: boolean): number {
  const already = `revision ${revision} is live already${note === null ? '' : '; your note was added'}`
  if (json) write(JSON.stringify({ flow, revision, changed }))
  else write(`${flow}: ${changed ? `new calls take revision ${revision}` : already}`)
  return 0
}

function refused({ write, json }: Shop, ...reasons: readonly string[]): number {
  if (json) write(JSON.stringify({ problems: reasons }))
  else for (const reason of reasons) write(reason)
  return 1
}

async function nothingEarlier(revisions: FlowRevisions, flow: string, wanted: string | undefined): Promise<string> {
  if ((await revisions.revisions(flow as FlowName)).length === 0) return noFlow(revisions, flow)
  const what = wanted === undefined ? 'older revision' : `revision ${wanted}`
  return `${flow} has no ${what}; "flow revisions ${flow}" lists them`
}

/** That there is no such flow, with the one that may have been meant. */
export async function noFlow(revisions: FlowRevisions, flow: string): Promise<string> {
  const flows = (await revisions.live()).map((live) => live.flow)
  return `there is no flow ${flow}${didYouMean(flow, flows) || '; "flow revisions" lists those that were published'}`
}

function shownLive({ flow, revision, way, author, note, atMs }: LiveFlow) {
  return { flow, revision, live: true, way, publishedTs: new Date(atMs).toISOString(), author, note }
}

function shown({ isLive, createdAtMs, publishedAtMs, ...revision }: FlowRevision) {
  const [creationTs, publishedTs] = [createdAtMs, publishedAtMs].map((atMs) => new Date(atMs).toISOString())
  return { ...revision, live: isLive, publishedTs: publishedTs!, creationTs: creationTs! }
}

/** When and by whom it became the live one the last time, and where that was not the first time, the first one too. */
function lineOf(listed: ReturnType<typeof shownLive> | ReturnType<typeof shown>): string {
  const { flow, revision, live, way, publishedTs, author, note } = listed
  const isStored = 'creationTs' in listed
  const last = isStored ? signature(listed.lastAuthor, listed.lastNote) : signature(author, note)
  const first = isStored ? `${listed.creationTs} by ${signature(author, note)}` : ''
  const isFirst = !isStored || first === `${publishedTs} by ${last}`
  return `${live ? '*' : ' '} ${flow}@${revision}  ${publishedTs} ${way} by ${last}${isFirst ? '' : `; first ${first}`}`
}

function signature(author: string, note: string | null): string {
  return note === null ? author : `${author}: ${note}`
}
