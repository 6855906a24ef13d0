/** `switchboard flow revisions`, `publish` and `rollback`: the revisions in the database, with or without a service. */
import { readFlowFor, readSetup } from '../app/read-installation.ts'
import type { FlowReading } from '../flow/read/read-flow.ts'
import { formatProblem } from '../kernel/file-problem.ts'
import type { FlowName } from '../kernel/ids.ts'
import type { FlowCanaries } from '../ports/flow-canaries.ts'
import type { FlowRevisions } from '../ports/flow-revisions.ts'
import { postgresFlowCanaries } from '../store/calls/flow-canaries.ts'
import { postgresFlowRevisions } from '../store/calls/flow-revisions.ts'
import { type CliContext, textOf } from './flow-check.ts'
import { withDatabase } from './with-database.ts'

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
  readonly read: (file: string, text: string) => FlowReading
}

/** The live revision of every flow, or all revisions of one. */
export function flowRevisions(flow: string | undefined, options: RevisionOptions, context: CliContext) {
  return inShop(options, context, async ({ revisions, write, json }) => {
    const found =
      flow === undefined
        ? (await revisions.live()).map((live) => ({ ...live, publishedAtMs: live.atMs, isLive: true }))
        : await revisions.revisions(flow as FlowName)
    if (json) write(JSON.stringify({ revisions: found.map(shown) }, null, 2))
    else if (found.length === 0) write(flow === undefined ? 'no flow was published yet' : `there is no flow ${flow}`)
    else for (const revision of found) write(lineOf(revision))
    return flow !== undefined && found.length === 0 ? 1 : 0
  })
}

/** Checks a flow and publishes it: new calls, or a share of them (`canary`, in percent), take it on every node. */
export function flowPublish(file: string, options: RevisionOptions & { canary?: string }, context: CliContext) {
  return inShop(options, context, async (shop) => {
    const { canary } = options
    if (canary !== undefined && !/^[1-9]\d?$/.test(canary)) return refused(shop, `--canary ${canary}: write 1 to 99`)
    const text = textOf(file)
    if (text === undefined) return refused(shop, `${file} cannot be read; name a flow file`)
    const { flow, problems } = shop.read(file, text)
    if (!flow) return refused(shop, ...problems.map(formatProblem), 'nothing was published; correct the errors')
    const { name, revision } = flow
    const signed = { author: shop.author, note: options.note ?? null, atMs: shop.nowMs }
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
  context: CliContext,
): Promise<number> {
  return inShop(options, context, async (shop) => {
    const { revisions, author, nowMs } = shop
    const name = flow as FlowName
    const revision = await revisions.earlier(name, wanted)
    const stored = revision === undefined ? undefined : await revisions.read(revision)
    const nothing = `${flow} has no ${wanted === undefined ? 'older revision' : `revision ${wanted}`}`
    if (revision === undefined || !stored) return refused(shop, `${nothing}; "flow revisions ${flow}" lists them`)
    const { flow: fit, problems } = shop.read(`${flow}@${revision}`, stored.text)
    if (!fit) return refused(shop, ...problems.map(formatProblem), 'it does not fit the configuration any more')
    const { outcome } = await revisions.goBack(name, revision, { author, note: options.note ?? null, atMs: nowMs })
    return done(shop, name, revision, outcome === 'live')
  })
}

/** Opens the database for a command, and closes it. */
export function inShop(
  { json = false }: RevisionOptions,
  { settings, env, write }: CliContext,
  work: (shop: Shop) => Promise<number>,
): Promise<number> {
  const setup = readSetup(settings)
  const read = (file: string, text: string) => readFlowFor(setup, file, text)
  // Only the answer may be on standard output.
  const progress = json ? (line: string) => void process.stderr.write(`${line}\n`) : write
  const author = env['USER'] ?? 'command line'
  return withDatabase({ settings, write: progress }, ({ pools, nowMs }) => {
    const [revisions, canaries] = [postgresFlowRevisions(pools), postgresFlowCanaries(pools)]
    return work({ revisions, canaries, nowMs, author, write, json, read })
  })
}

/** Says what new calls take. */
export function done({ write, json }: Shop, flow: string, revision: string, changed: boolean): number {
  if (json) write(JSON.stringify({ flow, revision, changed }))
  else write(changed ? `${flow}: new calls take revision ${revision}` : `${flow}: revision ${revision} is live already`)
  return 0
}

/** Says why nothing was done. */
export function refused({ write, json }: Shop, ...reasons: readonly string[]): number {
  if (json) write(JSON.stringify({ problems: reasons }))
  else for (const reason of reasons) write(reason)
  return 1
}

type Listed = Pick<
  Awaited<ReturnType<FlowRevisions['revisions']>>[number],
  'flow' | 'revision' | 'author' | 'note' | 'publishedAtMs' | 'isLive'
>

function shown({ flow, revision, author, note, publishedAtMs, isLive }: Listed) {
  return { flow, revision, live: isLive, publishedTs: new Date(publishedAtMs).toISOString(), author, note }
}

function lineOf(listed: Listed): string {
  const { flow, revision, publishedTs, author, note, live } = shown(listed)
  return `${live ? '*' : ' '} ${flow}@${revision}  ${publishedTs}  ${author}${note === null ? '' : `: ${note}`}`
}
