import { type LegId, OUR_PREFIX } from '../kernel/ids.ts'

/** The channels that bring the sound of a leg to the engine. */
const PARTS = { ear: `${OUR_PREFIX}ear-`, media: `${OUR_PREFIX}media-` } as const

/** `snoop` hears the leg, `media` sends its sound to the engine, `bridge` joins the two. */
export function earOf(leg: LegId) {
  return { snoop: `${PARTS.ear}${leg}`, media: `${PARTS.media}${leg}`, bridge: `${PARTS.ear}${leg}` } as const
}

/** The leg to whose ear the channel or bridge belongs; undefined for other names. */
export function legOfEar(name: string): LegId | undefined {
  const prefix = Object.values(PARTS).find((one) => name.startsWith(one))
  return prefix && (name.slice(prefix.length) as LegId)
}
