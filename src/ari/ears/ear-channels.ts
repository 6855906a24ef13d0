import { type LegId, OUR_PREFIX } from '../../kernel/ids.ts'

/** The channels that bring the sound of a leg to the engine (`ear`, `media`), or that of another leg to it (`spy`). */
const PARTS = { ear: `${OUR_PREFIX}ear-`, media: `${OUR_PREFIX}media-`, spy: `${OUR_PREFIX}spy-` } as const

/**
 * `snoop` hears the leg, `media` sends its sound to the engine, `bridge` joins the two. `nth`: of the ears of this leg,
 * from 1 on; the channels of the one before may still be there.
 */
export function earOf(leg: LegId, nth: number) {
  const name = nth === 1 ? leg : `${leg}~${nth}`
  return { snoop: `${PARTS.ear}${name}`, media: `${PARTS.media}${name}`, bridge: `${PARTS.ear}${name}` } as const
}

/** The snooping channel by which the leg overhears another one, and its bridge with the leg. `nth`: from 1 on. */
export function spyOf(leg: LegId, nth: number): string {
  return `${PARTS.spy}${leg}~${nth}`
}

/** The leg to whose ear the channel or bridge belongs; undefined for other names. */
export function legOfEar(name: string): LegId | undefined {
  const prefix = Object.values(PARTS).find((one) => name.startsWith(one))
  return prefix && (name.slice(prefix.length).replace(/~\d+$/, '') as LegId)
}
