/** Leads the phone of this tab by what the stream says. */
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { StreamEvent } from '../stream/use-stream.ts'
import { deskPhone } from './desk-phone.ts'
import type { Desk } from './desk-state.ts'

/** `view`: undefined where the browser is no phone now. */
export function useDeskPhone(userName: string, desk: Desk | undefined) {
  const view = useSyncExternalStore(deskPhone.subscribe, deskPhone.view)
  const refusal = useSyncExternalStore(deskPhone.subscribe, deskPhone.refusal)
  const wasAtWork = useRef(false)
  const isBrowserPhone = desk?.isBrowserPhone === true
  const isAtWork = desk !== undefined && desk.state !== 'loggedOut'
  const isKnown = desk !== undefined
  const isInCall = desk?.isConnected === true
  // Whoever consults a colleague meanwhile hears them, or their ringing.
  const isHeld = desk?.isHeld === true || desk?.consult !== undefined
  const isMuted = desk?.isMuted
  const isMuteSaid = desk?.isMuteSaid
  const hasPhone = view !== undefined

  useEffect(() => {
    deskPhone.atWork(isAtWork)
    if (!isBrowserPhone) return
    // The page was loaded again within a shift. In a call nobody is heard before the agent says so.
    if (isAtWork && !deskPhone.view()) deskPhone.open(userName, isInCall)
    if (!isAtWork && wasAtWork.current) deskPhone.close()
    wasAtWork.current = isAtWork
  }, [isBrowserPhone, isAtWork, isInCall, userName])
  // Whoever comes back from another page is in the call still: it would beep, and nobody would hear them meanwhile.
  useEffect(() => {
    if (isKnown) deskPhone.inCall(isInCall, isHeld)
  }, [isKnown, isInCall, isHeld])
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
    heard({ name, data }: StreamEvent) {
      const leg = String(data['legId'] ?? '')
      if (name === 'leg') deskPhone.send({ type: 'leg.expected', leg })
      if (name === 'legEnded') deskPhone.send({ type: 'leg.ended', leg })
    },
  }
}

export type DeskPhoneUse = ReturnType<typeof useDeskPhone>
