/** The acts of the desk for Ctrl+K: those that are possible in its present state. */
import { type Command, namesOf, useCommands } from '../shell/commands.ts'
import { useTexts } from '../texts/language.tsx'
import type { Desk } from './desk-state.ts'
import { DESK_TEXTS } from './desk-texts.ts'
import type { DeskNews } from './use-desk-news.ts'
import type { DeskPhoneUse } from './use-desk-phone.ts'
import type { Order, Orders } from './use-orders.ts'

/** In the order of their digits. */
export const REASONS = ['break', 'lunch', 'meeting', 'training', 'other'] as const

interface CommandsInput {
  readonly desk: Desk | undefined
  readonly orders: Orders
  readonly news: DeskNews
  readonly phone: DeskPhoneUse
}

/** Offers them. */
export function useDeskCommands({ desk, orders, news, phone }: CommandsInput): void {
  const texts = useTexts(DESK_TEXTS)
  const give = (order: Order) => () => void orders.give(order)
  const act = (id: keyof typeof texts, run: () => void, keys?: string): Command => ({
    id: `desk-${id}`,
    names: namesOf(DESK_TEXTS, id),
    ...(keys !== undefined && { keys }),
    run,
  })
  const reasons = REASONS.map((reason, place) => ({
    id: `pause-${reason}`,
    names: namesOf(DESK_TEXTS, 'pauseFor', reason),
    keys: `F9 ${place + 1}`,
    run: give({ type: 'pause', reason: texts[reason] }),
  }))
  const offered: Command[] = []
  if (desk?.state === 'loggedOut') {
    offered.push(act('start', () => (desk.isBrowserPhone ? phone.start() : give({ type: 'logIn' })())))
  }
  if (desk && desk.state !== 'loggedOut') {
    const { call, state, isConnected } = desk
    const hangUp = { type: 'hangUp', ...(call && { callId: call.callId }) } as const
    if (isConnected || state === 'reserved') offered.push(act('end', give(hangUp), 'F8'))
    const offer = desk.preview?.task.itcaId
    if (offer !== undefined) {
      for (const type of ['dial', 'skip'] as const) offered.push(act(type, give({ type, itcaId: offer })))
    }
    if (news.page !== undefined) offered.push(act('openCase', news.openPage, 'F10'))
    if (state === 'paused' || desk.asked === 'pause') offered.push(act('resume', give({ type: 'ready' }), 'F9'))
    else offered.push(...reasons)
    offered.push(act('logOut', give({ type: 'logOut' })))
  }
  useCommands(offered)
}
