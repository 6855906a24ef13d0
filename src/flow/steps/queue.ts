import type { TeamName } from '../../kernel/ids.ts'
import type { QueueSpec, Step } from '../model/flow.ts'
import { isTrue, render } from '../model/template.ts'
import { valueAtPath } from '../model/variable-path.ts'
import { queueMachine } from './queue.machine.ts'
import type { Begun, Scene } from './step-messages.ts'

/**
 * The queue step: joins the queue of a team, given by name or by a value. A whisper or popup with an unknown value is
 * left out, and the caller still reaches an agent (our choice).
 */
export function beginQueue({ spec }: Extract<Step, { kind: 'queue' }>, scene: Scene): Begun {
  const { timeoutMs, announceEveryMs, announcePosition, announceWait, callback, priority } = spec
  const announces = { position: announcePosition, wait: announceWait }
  const isSilent = !announcePosition && !announceWait
  const whisper = spec.whisper ? scene.speak(spec.whisper) : undefined
  const popup = spec.popup ? render(spec.popup, scene.scope, { language: scene.language }) : undefined
  return {
    machine: queueMachine,
    input: {
      timeoutMs,
      announces,
      callback,
      language: scene.language,
      announceEveryMs: isSilent ? undefined : announceEveryMs,
    },
    errand: {
      join: {
        team: teamOf(spec.team, scene) as TeamName,
        priority,
        ...(spec.skills.length > 0 && { skills: spec.skills }),
        whisper: whisper?.ok ? whisper.utterances : [],
        popup: popup?.ok ? popup.text : undefined,
        ...(spec.recording && { recording: spec.recording }),
        // In doubt nothing is recorded (calls-and-flows-35).
        ...(isTrue(spec.recordingConsent, scene) && { recordingConsent: true }),
      },
      ...(spec.music !== undefined && { music: spec.music }),
    },
  }
}

function teamOf(team: QueueSpec['team'], { scope }: Scene): string {
  if (typeof team === 'string') return team
  const value = valueAtPath(team.by, scope)
  const key = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  return key !== undefined && Object.hasOwn(team.map, key) ? team.map[key]! : team.else
}
