import type { Clock } from '../kernel/clock.ts'
import type { LegId } from '../kernel/ids.ts'
import { SOUND_WITHIN_MS } from '../ports/pbx.ts'
import type { SimSwitch } from './sim-switch.ts'

/** A phone sends 50 packets a second. */
const PACKET_EVERY_MS = 20

/** Whether a packet comes from this leg: as `checkSound` of the port promises. */
export function checkSoundOf(id: LegId, pbx: SimSwitch, clock: Clock, withinMs: number = SOUND_WITHIN_MS): void {
  const leg = pbx.legs.get(id)
  const untilMs = clock.nowMs() + withinMs
  const listen = () =>
    void clock.schedule(clock.nowMs() + PACKET_EVERY_MS, () => {
      if (!leg || pbx.legs.get(id) !== leg) return
      if (!leg.holder.isSilent) pbx.emit({ type: 'leg.heard', leg: id })
      else if (clock.nowMs() >= untilMs) pbx.emit({ type: 'leg.silent', leg: id })
      else listen()
    })
  listen()
}
