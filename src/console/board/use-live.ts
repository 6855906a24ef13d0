/** The topic `board` of the live stream, while a board is shown. */
import { useMemo } from 'react'
import type { LiveSubscription, Topic } from '../stream/live-subscription.ts'
import type { StreamClient } from '../stream/stream-client.ts'
import { PER_FRAME, useStream, useTopic } from '../stream/use-stream.ts'

/** Its rows, and the connection that they come by. */
export interface Live {
  readonly client: StreamClient
  readonly subscription: LiveSubscription
}

const nothing = () => {}

/** One connection for this page. `args` is the same object at each drawing. */
export function useLive(args?: Topic['args']): Live {
  const client = useStream(nothing, PER_FRAME)
  const subscription = useTopic(client, 'board', args)
  return useMemo(() => ({ client, subscription }), [client, subscription])
}
