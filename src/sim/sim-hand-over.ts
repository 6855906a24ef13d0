import type { Clock } from '../kernel/clock.ts'
import type { PbxEvent } from '../ports/pbx.ts'
import type { LineEnd, SimCaller } from './sim-caller.ts'

/** Timer F of the switch (RFC 3261 17.1.2.2), as we set it. */
const UNANSWERED_MS = 6_400

type Result = Pick<Extract<PbxEvent, { type: 'leg.handedOver' }>, 'result' | 'why'>

interface Switch {
  readonly clock: Clock
  tell(result: Result): void
  end(by: LineEnd['by']): void
}

/** What comes of asking the caller's network to call somebody else, as measured on the real switch. */
export function handOver(caller: SimCaller, { clock, tell, end }: Switch): void {
  const { onHandOver: does } = caller
  // A request without any answer ends the dialog (RFC 3261 12.2.1.2).
  if (does === 'ignores') return void clock.schedule(clock.nowMs() + UNANSWERED_MS, () => end('switch'))
  const isDone = does === 'accepts' || does === 'acceptsStaying'
  tell(isDone ? { result: 'done' } : { result: 'failed', why: `the network of the caller ${does}` })
  if (does === 'accepts') end('person')
}
