/** Asks our own Asterisk whether it is there at all. */
import type { PrivateAsterisk } from '../../asterisk/private.ts'
import { ariAddress } from '../ari/address.ts'
import type { Clock } from '../kernel/clock.ts'

/** Our choice: a busy Asterisk answers within a second. */
const PATIENCE_MS = 5_000

/**
 * Whether it says anything in time (`GET /asterisk/ping` of ARI). A connection that it refuses or breaks is a word too:
 * of a process that hangs, the system takes connections, and nobody answers on them.
 */
export async function answersAri({ ari }: Pick<PrivateAsterisk, 'ari'>, clock: Clock): Promise<boolean> {
  const { origin, path } = ariAddress(ari.url)
  const authorization = `Basic ${Buffer.from(`${ari.user}:${ari.password}`).toString('base64')}`
  const abort = new AbortController()
  const timer = clock.schedule(clock.nowMs() + PATIENCE_MS, () => abort.abort())
  try {
    const answer = await fetch(`${origin}${path}/asterisk/ping`, { headers: { authorization }, signal: abort.signal })
    await answer.text()
  } catch {
    return !abort.signal.aborted
  } finally {
    timer.cancel()
  }
  return true
}
