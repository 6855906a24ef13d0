import type { PhoneNumber } from '../../kernel/ids.ts'
import type { TransferTarget } from '../../ports/transfer.ts'
import type { Step } from '../model/flow.ts'
import { render } from '../model/template.ts'
import { INTERNATIONAL, readTarget } from '../model/transfer-target.ts'
import { valueAtPath } from '../model/variable-path.ts'
import type { Begun, Scene } from './step-messages.ts'
import { transferMachine } from './transfer.machine.ts'

/** transfer: to a number or SIP address, which may hold values. The engine's gate decides whether it is called. */
export function beginTransfer({ spec }: Extract<Step, { kind: 'transfer' }>, scene: Scene): Begun {
  const to = targetOf(spec.to, scene)
  if (typeof to === 'string') return malformed(to)
  const shown = spec.callerId && render(spec.callerId, scene.scope, scene)
  if (shown && !shown.ok) return malformed(shown.why)
  if (shown && !INTERNATIONAL.test(shown.text)) return malformed('the caller id is no international number')
  const { mode, timeoutMs } = spec
  const callerId = shown ? { callerId: shown.text as PhoneNumber } : {}
  return {
    machine: transferMachine,
    input: { timeoutMs, isBlind: mode === 'blind' },
    errand: { transfer: { to, mode, ringTimeoutMs: timeoutMs, ...callerId } },
  }
}

/** The target, or why the text is none. */
function targetOf(to: Extract<Step, { kind: 'transfer' }>['spec']['to'], scene: Scene): TransferTarget | string {
  if (!('map' in to)) {
    const text = render(to, scene.scope, scene)
    if (!text.ok) return text.why
    // A value may be a number, never an address: it must not choose the host.
    const isAddress = to.source.startsWith('sip:')
    return isAddress === text.text.startsWith('sip:') ? readTarget(text.text) : 'a value must not name a sip: address'
  }
  const value = valueAtPath(to.by, scene.scope)
  const key = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  return readTarget(key !== undefined && Object.hasOwn(to.map, key) ? to.map[key]! : to.else)
}

function malformed(why: string): Begun {
  return { ended: { end: 'malformed', why } }
}
