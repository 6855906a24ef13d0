/** `switchboard flow revisions`, `publish` and `rollback`: the revisions in the database, with or without a service. */
import { readFlowFor, readSetup } from '../app/read-installation.ts'
import type { FlowReading } from '../flow/read/read-flow.ts'
import { didYouMean, formatProblem } from '../kernel/file-problem.ts'
import type { FlowName } from '../kernel/ids.ts'
import type { FlowCanaries } from '../ports/flows/flow-canaries.ts'
import type { FlowRevision, FlowRevisions, LiveFlow } from '../ports/flows/flow-revisions.ts'
import { postgresFlowCanaries } from '../store/calls/flow-canaries.ts'
import { postgresFlowRevisions } from '../store/calls/flow-revisions.ts'
import { textOf, unread } from './flow-check.ts'
import type { EnvContext } from './place/cli-context.ts'
import { databaseOf, remarkOnPlace } from './place/data-place.ts'
import { withDatabase } from './place/with-database.ts'

export interface RevisionOptions {
  readonly note?: string
  readonly json?: boolean
}

/** The database, and what every change of it says. */
export interface Shop {
  readonly revisions: FlowRevisions
  readonly canaries: FlowCanaries
  readonly nowMs: number
  readonly author: string
  readonly write: (line: string) => void
  readonly json: boolean
  readonly note: string | null
  readonly read: (file: string, text: string) => FlowReading
}

/** The live revision of every flow, or all revisions of one. */
export function flowRevisions(flow: string | undefined, options: RevisionOptions, context: EnvContext) {
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

/** Checks a flow and publishes it: new calls, or a share of them (`canary`, in percent), take it on every node. */
export function flowPublish(file: string, options: RevisionOptions & { canary?: string }, context: EnvContext) {
  return inShop(true, options, context, async (shop) => {
    const { canary } = options
    if (canary !== undefined && !/^[1-9]\d?$/.test(canary)) return refused(shop, `--canary ${canary}: write 1 to 99`)
    const text = textOf(file)
    if (text === undefined) return refused(shop, formatProblem(unread(file)))
    const { flow, problems } = shop.read(file, text)
    if (!flow) return refused(shop, ...problems.map(formatProblem), 'nothing was published; correct the errors')
    const { name, revision } = flow
    const signed = { author: shop.author, note: shop.note, atMs: shop.nowMs }
    const publication = { flow: name, revision, text, ...signed }
    if (canary !== undefined) return tryOut(shop, publication, Number(canary))
    const published = await shop.revisions.publish(publication)
    return done(shop, name, revision, published === 'published')
  })
}

async function tryOut(shop: Shop, publication: Parameters<FlowRevisions['publish']>[0], percent: number) {
  const { flow, revision } = publication
  const begun = await shop.canaries.begin({ ...publication, percent })
  if (typeof begun !== 'string') return refused(shop, `${flow} has no live revision; publish it without --canary`)
  if (begun === 'is live') return refused(shop, `${flow}: revision ${revision} is live; there is nothing to try out`)
  const changed = begun === 'begun'
  if (shop.json) shop.write(JSON.stringify({ flow, revision, percent, changed }))
  else shop.write(`${flow}: ${percent} % of the new calls take revision ${revision}${changed ? '' : ' already'}`)
  return 0
}

/** Makes an earlier revision live again; by default the newest one that is older than the live one. */
export function flowRollback(
  flow: string,
  wanted: string | undefined,
  options: RevisionOptions,
  context: EnvContext,
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

/** Opens the database for a command, and closes it. `writes`: where it was written is told. */
export function inShop(
  writes: boolean,
  { json = false, note = '' }: RevisionOptions,
  { settings, env, write }: EnvContext,
  work: (shop: Shop) => Promise<number>,
): Promise<number> {
  const setup = readSetup(settings)
  const read = (file: string, text: string) => readFlowFor(setup, file, text)
  // Only the answer may be on standard output.
  const progress = json ? (line: string) => void process.stderr.write(`${line}\n`) : write
  const author = env['USER'] ?? 'command line'
  return withDatabase({ settings, write: progress }, async ({ pools, nowMs }) => {
    const [revisions, canaries] = [postgresFlowRevisions(pools), postgresFlowCanaries(pools)]
    const status = await work({ revisions, canaries, nowMs, author, note: note || null, write, json, read })
    const remark = remarkOnPlace(writes && status === 0 ? 'written to' : 'read from', settings)
    if (remark !== undefined) progress(remark)
    return status
  })
}

/** Says what new calls take. */
export function done({ write, json, note }: Shop, flow: string, revision: string, changed: boolean): number {
  const already = `revision ${revision} is live already${note === null ? '' : '; your note was added'}`
  if (json) write(JSON.stringify({ flow, revision, changed }))
  else write(`${flow}: ${changed ? `new calls take revision ${revision}` : already}`)
  return 0
}

/** Says why nothing was done. */
export function refused({ write, json }: Shop, ...reasons: readonly string[]): number {
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
  const publishedTs = publishedAtMs === null ? null : new Date(publishedAtMs).toISOString()
  return { ...revision, live: isLive, publishedTs, creationTs: new Date(createdAtMs).toISOString() }
}

/** When and by whom it became the live one the last time, and where that was not the first time, the first one too. */
function lineOf(listed: ReturnType<typeof shownLive> | ReturnType<typeof shown>): string {
  const { flow, revision, live, way, publishedTs, author, note } = listed
  const isStored = 'creationTs' in listed
  const first = isStored ? `${listed.creationTs} by ${signature(author, note)}` : ''
  if (publishedTs === null) return `  ${flow}@${revision}  ${first}; on trial only`
  const last = isStored ? signature(listed.lastAuthor ?? '', listed.lastNote) : signature(author, note)
  const isFirst = !isStored || first === `${publishedTs} by ${last}`
  return `${live ? '*' : ' '} ${flow}@${revision}  ${publishedTs} ${way} by ${last}${isFirst ? '' : `; first ${first}`}`
}

function signature(author: string, note: string | null): string {
  return note === null ? author : `${author}: ${note}`
}
