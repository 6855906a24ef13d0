/** `switchboard flow canaries`, `promote` and `withdraw`: revisions on trial, with or without a service. */
import { formatProblem } from '../kernel/file-problem.ts'
import type { FlowName } from '../kernel/ids.ts'
import type { CanaryFault, FlowCanary, RiskCounts } from '../ports/flows/flow-canaries.ts'
import type { EnvContext } from './place/cli-context.ts'
import { done, inShop, type RevisionOptions, refused, type Shop } from './publish-flow.ts'

/** What was on trial, the newest first. */
export function flowCanaries(flow: string, options: RevisionOptions, context: EnvContext): Promise<number> {
  return inShop(false, options, context, async ({ canaries, write, json }) => {
    const found = await canaries.list(flow as FlowName)
    if (json) write(JSON.stringify({ canaries: found.map(shown) }, null, 2))
    else if (found.length === 0) write(`no revision of ${flow} was on trial yet`)
    else for (const canary of found) write(lineOf(canary))
    return 0
  })
}

/** Makes the revision on trial the live one. */
export function flowPromote(flow: string, options: RevisionOptions, context: EnvContext): Promise<number> {
  return inShop(true, options, context, async (shop) => {
    const canary = await runningOf(shop, flow)
    const stored = canary && (await shop.revisions.read(canary.revision))
    if (!canary || !stored) return nothing(shop, flow)
    const { flow: fit, problems } = shop.read(`${flow}@${canary.revision}`, stored.text)
    if (!fit) return refused(shop, ...problems.map(formatProblem), 'it does not fit the configuration any more')
    if (!(await ended(shop, canary, 'promoted', options))) return nothing(shop, flow)
    return done(shop, flow, canary.revision, true)
  })
}

/** All new calls take the live revision. */
export function flowWithdraw(flow: string, options: RevisionOptions, context: EnvContext): Promise<number> {
  return inShop(true, options, context, async (shop) => {
    const canary = await runningOf(shop, flow)
    if (!canary || !(await ended(shop, canary, 'withdrawn', options))) return nothing(shop, flow)
    const { revision, against } = canary
    if (shop.json) shop.write(JSON.stringify({ flow, revision, changed: true }))
    else shop.write(`${flow}: no new call takes revision ${revision}; ${against} is live`)
    return 0
  })
}

async function runningOf({ canaries }: Shop, flow: string): Promise<FlowCanary | undefined> {
  return (await canaries.running()).find((canary) => canary.flow === flow)
}

function ended(
  { canaries, author, nowMs }: Shop,
  { id }: FlowCanary,
  how: 'promoted' | 'withdrawn',
  { note }: RevisionOptions,
) {
  return canaries.end(id, how, { author, note: note ?? null, atMs: nowMs })
}

function nothing(shop: Shop, flow: string): number {
  return refused(shop, `no revision of ${flow} is on trial; "flow canaries ${flow}" lists what was`)
}

function shown({ id: _, begunAtMs, endedAtMs, ...canary }: FlowCanary) {
  const endedTs = endedAtMs === null ? null : new Date(endedAtMs).toISOString()
  return { ...canary, begunTs: new Date(begunAtMs).toISOString(), endedTs }
}

function lineOf(canary: FlowCanary): string {
  const { flow, revision, percent, author, note, ended, endedBy, endedNote, fault } = canary
  const { begunTs, endedTs } = shown(canary)
  const begun = `${flow}@${revision}  ${percent} %  ${begunTs}  ${author}${note === null ? '' : `: ${note}`}`
  if (ended === null) return `* ${begun}`
  const why = fault ? `: ${faultIn(fault)}` : endedNote === null ? '' : `: ${endedNote}`
  return `  ${begun}; ${ended} ${endedTs} by ${endedBy}${why}`
}

function faultIn({ step, risk, onTrial, live }: CanaryFault): string {
  return `${risk} ${step === null ? 'of the whole call' : `at ${step}`} ${shareOf(onTrial)}, live ${shareOf(live)}`
}

function shareOf({ calls, bad }: RiskCounts): string {
  return `${bad}/${calls} (${((100 * bad) / calls).toFixed(1)} %)`
}
