/** Orders of the agent to the node. */
import { useRef, useState } from 'react'
import { SwitchboardProblem } from '../../client/problem.ts'
import type { Request } from '../../client/request.ts'
import { ask, newKey } from '../session/ask.ts'

export type Order = Request<'POST /svcpbx/agents/me/orders'>['body']

/** The answer to an order. `why` null: no answer came, so it is not known whether it was carried out. */
export type Answer = { readonly ok: true } | { readonly ok: false; readonly why: string | null; readonly at: string }

/** Sends an order; the same key twice is carried out once. */
export async function order(body: Order, idempotencyKey = newKey()): Promise<Answer> {
  try {
    await ask('POST /svcpbx/agents/me/orders', { body, idempotencyKey })
    return { ok: true }
  } catch (error) {
    // The same key is still being carried out: its answer is yet to come.
    const isOpen = error instanceof SwitchboardProblem && error.status === 409 && error.retryAfterMs !== undefined
    if (!(error instanceof SwitchboardProblem) || error.status === 0 || isOpen) return { ok: false, why: null, at: '' }
    return {
      ok: false,
      why: error.errors[0]?.message ?? error.message.slice(error.operation.length + 2),
      at: error.errors[0]?.path ?? '',
    }
  }
}

/**
 * Gives orders one at a time; `refusal` is why the last one was not carried out, null where nobody answered. It is told
 * as long as the same call is `present`, or none.
 */
export function useOrders(present: string | undefined) {
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<{ readonly why: string | null; readonly during: object }>()
  const now = useRef({ present })
  if (now.current.present !== present) now.current = { present }
  const give = async (body: Order): Promise<boolean> => {
    const during = now.current
    setBusy(true)
    const answer = await order(body)
    setBusy(false)
    setRefused(answer.ok ? undefined : { why: answer.why, during })
    return answer.ok
  }
  return { give, isBusy, refusal: refused?.during === now.current ? refused.why : undefined }
}

export type Orders = ReturnType<typeof useOrders>
