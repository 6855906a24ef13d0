/** Orders of the agent to the node. */
import { useState } from 'react'
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
    if (!(error instanceof SwitchboardProblem) || error.status === 0) return { ok: false, why: null, at: '' }
    return {
      ok: false,
      why: error.errors[0]?.message ?? error.message.slice(error.operation.length + 2),
      at: error.errors[0]?.path ?? '',
    }
  }
}

/** Gives orders one at a time; `refusal` is why the last one was not carried out, null where nobody answered. */
export function useOrders() {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null | undefined>()
  const give = async (body: Order): Promise<boolean> => {
    setBusy(true)
    const answer = await order(body)
    setBusy(false)
    setRefusal(answer.ok ? undefined : answer.why)
    return answer.ok
  }
  return { give, isBusy, refusal }
}

export type Orders = ReturnType<typeof useOrders>
