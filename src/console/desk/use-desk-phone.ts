/** The desk, as the stream has it, and the phone of this tab, which is led by it. */
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { LiveSubscription } from '../stream/live-subscription.ts'
import { type StreamEvent, useOnlyRow } from '../stream/use-stream.ts'
import { deskPhone } from './desk-phone.ts'
import { type Desk, readDesk, takenBy } from './desk-state.ts'

/** The rows of the topic `me`. Undefined: the stream has said nothing yet. */
export function useDesk(me: LiveSubscription): Desk | undefined {
  return readDesk({
    agent: useOnlyRow(me, 'agent'),
    call: useOnlyRow(me, 'call'),
    wrap: useOnlyRow(me, 'wrap'),
    preview: useOnlyRow(me, 'preview'),
    sound: useOnlyRow(me, 'sound'),
    consult: useOnlyRow(me, 'consult'),
  })
}

/** `view`: undefined where the browser is no phone now. `onTaken` is told of each call and offer that is new. */
export function useDeskPhone(userName: string, desk: Desk | undefined, onTaken?: (taken: string | undefined) => void) {
  const view = useSyncExternalStore(deskPhone.subscribe, deskPhone.view)
  const refusal = useSyncExternalStore(deskPhone.subscribe, deskPhone.refusal)
  const isBrowserPhone = desk?.isBrowserPhone === true
  const isAtWork = desk !== undefined && desk.state !== 'loggedOut'
  const isKnown = desk !== undefined
  const isInCall = desk?.isConnected === true
  // Whoever consults a colleague meanwhile hears them, or their ringing.
  const isHeld = desk?.isHeld === true || desk?.consult !== undefined
  const isMuted = desk?.isMuted
  const isMuteSaid = desk?.isMuteSaid
  const hasPhone = view !== undefined
  const taken = desk && takenBy(desk)
  const told = useRef(onTaken)
  told.current = onTaken

  useEffect(() => {
    if (!isKnown) return
    const isOver = deskPhone.atWork(isAtWork)
    if (!isBrowserPhone) return
    // The page was loaded again within a shift. In a call nobody is heard before the agent says so.
    if (isAtWork && !deskPhone.view()) deskPhone.open(userName, isInCall)
    if (isOver) deskPhone.close()
  }, [isKnown, isBrowserPhone, isAtWork, isInCall, userName])
  // Whoever comes back from another page is in the call still: it would beep, and nobody would hear them meanwhile.
  useEffect(() => {
    if (isKnown) deskPhone.inCall(isInCall, isHeld)
  }, [isKnown, isInCall, isHeld])
  useEffect(() => {
    if (isKnown && deskPhone.takes(taken)) told.current?.(taken)
  }, [isKnown, taken])
  // What the node says is what the agent last wanted, also on the page before. A node that was restarted says nothing.
  useEffect(() => {
    if (!hasPhone || isMuted === undefined) return
    deskPhone.send(isMuteSaid ? { type: 'mute', isMuted } : { type: 'mute.unsaid' })
  }, [isMuted, isMuteSaid, hasPhone])

  return {
    view,
    refusal,
    start: () => deskPhone.start(userName),
    send: deskPhone.send.bind(deskPhone),
    /** The computer slept: the line may be dead without a word. */
    woke: () => deskPhone.send({ type: 'network.changed' }),
    /** Whether it was for the phone. */
    heard({ name, data }: StreamEvent): boolean {
      const leg = String(data['legId'] ?? '')
      if (name === 'leg') deskPhone.send({ type: 'leg.expected', leg })
      if (name === 'legEnded') deskPhone.send({ type: 'leg.ended', leg })
      return name === 'leg' || name === 'legEnded'
    },
  }
}

export type DeskPhoneUse = ReturnType<typeof useDeskPhone>
