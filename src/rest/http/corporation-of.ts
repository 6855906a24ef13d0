import type { CorporationId } from '../../kernel/ids.ts'
import { Refusal, refuse } from './problem-response.ts'
import type { Asker } from './route.ts'

/** The given corporation; default: the first one of the client. */
export function corporationOf(corpId: number | undefined, { corporations }: Asker): CorporationId {
  const own = corpId === undefined ? corporations[0] : corporations.find((id) => id === corpId)
  if (own !== undefined) return own
  const message = 'there is no such corporation'
  const errors = [{ path: 'corporation.corpId', code: 'reference', message }]
  throw new Refusal(refuse('validation', `corporation.corpId: ${message}`, { errors }))
}
