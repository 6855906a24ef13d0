/** The topic `board` of the live stream, while a board is shown. */
import { useMemo } from 'react'
import type { LiveSubscription } from '../stream/live-subscription.ts'
import type { StreamClient } from '../stream/stream-client.ts'
import { PER_FRAME, useStream, useTopic } from '../stream/use-stream.ts'

/** Its rows, and the connection that they come by. */
export interface Live {
  readonly client: StreamClient
  readonly subscription: LiveSubscription
}

const nothing = () => {}

/** One connection for this page. */
export function useLive(): Live {
  const client = useStream(nothing, PER_FRAME)
  const subscription = useTopic(client, 'board')
  return useMemo(() => ({ client, subscription }), [client, subscription])
}
