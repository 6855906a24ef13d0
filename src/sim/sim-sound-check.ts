import type { Clock } from '../kernel/clock.ts'
import type { LegId } from '../kernel/ids.ts'
import type { SimSwitch } from './sim-switch.ts'

/** A phone sends 50 packets a second. */
const PACKET_EVERY_MS = 20
const SILENT_AFTER_MS = 1_000

/** Whether a packet comes from this leg: as `checkSound` of the port promises. */
export function checkSoundOf(id: LegId, pbx: SimSwitch, clock: Clock): void {
  const leg = pbx.legs.get(id)
  const tell = (type: 'leg.heard' | 'leg.silent') => pbx.legs.get(id) === leg && pbx.emit({ type, leg: id })
  const beganAtMs = clock.nowMs()
  clock.schedule(beganAtMs + PACKET_EVERY_MS, () => {
    if (!leg?.holder.isSilent) return void tell('leg.heard')
    clock.schedule(beganAtMs + SILENT_AFTER_MS, () => tell('leg.silent'))
  })
}
