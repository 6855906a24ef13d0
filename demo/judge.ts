/** Compares a call with its script. Each difference is one sentence. */
import type { CallRecord } from '../src/flow/model/call-messages.ts'
import type { CallResult } from '../src/sim/person.ts'
import type { TwoWayAudio } from './phones.ts'
import type { Story } from './stories.ts'

/** What caller, engine and agent recorded of a call. */
export interface Evidence {
  readonly record: CallRecord | undefined
  readonly result: CallResult
  readonly audio: TwoWayAudio | undefined
  /** Text messages to the caller. */
  readonly texts: readonly string[]
  /** Result of the replay of its journal; `same` is right. */
  readonly replay: string
}

/** A row of the demo's table and of its summary. */
export interface JudgedCall {
  readonly id: string
  readonly call: string
  readonly caller: string
  readonly title: string
  readonly path: readonly string[]
  readonly sms: string | null
  readonly outcome: string
  readonly agent: string | null
  readonly ms: number
  readonly differences: readonly string[]
}

/** A named check beside the comparison with the script. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

/** A conversation has at least this much of the other side's voice. */
const HEARD_MIN_MS = 1_000

/** Compares one call with its story. */
export function judgeCall(story: Story, evidence: Evidence): JudgedCall {
  const { record, result, texts } = evidence
  return {
    id: story.id,
    call: record?.call ?? 'none',
    caller: story.caller,
    title: story.title,
    path: record?.path ?? [],
    sms: texts[0] ?? null,
    outcome: record?.outcome ?? 'no record',
    agent: record?.agent ?? null,
    ms: result.ms,
    differences: [...differences(story, evidence)],
  }
}

/** Checks of the audio and of the journal of one call. */
export function checksOf(story: Story, { audio, replay }: Evidence): Check[] {
  const checks = [{ name: `${story.id}: replay gives the same commands`, ok: replay === 'same', detail: replay }]
  if (audio) {
    const { callerHeardMs, agentHeardMs } = audio
    const ok = callerHeardMs >= HEARD_MIN_MS && agentHeardMs >= HEARD_MIN_MS
    const detail = `caller heard the agent ${callerHeardMs} ms, agent heard the caller ${agentHeardMs} ms`
    checks.push({ name: `${story.id}: two-way audio`, ok, detail })
  }
  return checks
}

function* differences(story: Story, { record, result, texts }: Evidence): Generator<string> {
  if (result.outcome !== 'connected') {
    yield `the call was not answered: ${result.outcome} ${result.code ?? ''} ${result.why ?? ''}`.trim()
  }
  if (!record) return yield 'the engine has no record of the call'
  if (record.path.join() !== story.path.join()) {
    yield `took the path ${record.path.join(' → ')} instead of ${story.path.join(' → ')}`
  }
  if (record.outcome !== story.outcome) yield `ended as "${record.outcome}" instead of "${story.outcome}"`
  if (record.agent !== story.agent)
    yield `talked to ${record.agent ?? 'no agent'} instead of ${story.agent ?? 'no agent'}`
  if (result.hungUpBy !== story.endedBy) yield `was ended by ${result.hungUpBy} instead of ${story.endedBy}`
  const wanted = story.sms === undefined ? 0 : 1
  if (texts.length !== wanted) yield `${texts.length} text messages were sent instead of ${wanted}`
  if (story.sms !== undefined && texts[0] !== undefined && !texts[0].includes(story.sms)) {
    yield `the text message does not contain ${story.sms}`
  }
}
