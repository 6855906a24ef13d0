import type { OpenCall } from '../ports/open-call.ts'
import type { EngineContext } from './context.ts'
import type { FlowRegistry } from './flow-registry.ts'

/** Another node records the call (calls-and-flows-104). */
export const NODE_IS_GONE = 'its node has been away for ten minutes; one that is only cut off runs them'
/** So the place in the flow is not known after a crash (calls-and-flows-48). */
export const PLACE_IS_UNKNOWN = 'a secret was typed, or the variables are too long to be stored'

/** The revision of the flow that an answered call is in. */
export function revisionOf({ progress }: OpenCall): string | undefined {
  return progress?.place?.revision ?? progress?.traffic?.revision
}

/** The call; without its place, where the revision cannot be had any more: its flow starts over. */
export function inPlace(call: OpenCall, flows: Pick<FlowRegistry, 'revision'>): OpenCall {
  const { place, ...progress } = call.progress ?? {}
  return place && !flows.revision(place.revision) ? Object.assign({}, call, { progress }) : call
}

/** Steps of `onHangup` that no engine runs: the log and the story of the call say so (calls-and-flows-108). */
export function tellLostSteps({ dependencies, trace }: EngineContext, open: OpenCall, reason: string): void {
  const { flows, log, clock } = dependencies
  const { call, progress } = open
  const why = progress?.endedAtMs === undefined ? reason : `${reason}; some may have run`
  const revision = revisionOf(open)
  const flow = revision === undefined ? undefined : flows.revision(revision)?.flow
  const steps = flow?.onHangup.map(({ kind }) => kind) ?? []
  if (steps.length === 0) return
  log.error({ call, flow: flow?.name, revision, steps, why }, 'steps of onHangup do not run')
  trace.stepsLost(call, why, clock.nowMs())
}
