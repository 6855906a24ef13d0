/** What an agent does in a call beside talking: mute, hold, keys, transfer. The row stays while the call is shown. */
import { Button, Kbd } from '@mantine/core'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { BusyButton } from '../look/busy-button.tsx'
import { Icon, type IconName } from '../look/icon.tsx'
import { useFocusBack } from '../shell/use-focus-back.ts'
import { useKeys } from '../shell/use-keys.ts'
import { fill } from '../texts/catalogue.ts'
import { useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import css from './call-acts.module.css'
import { CALL_ACTS_TEXTS } from './call-acts-texts.ts'
import { useCallCommands } from './call-commands.ts'
import type { Desk, DeskCall, DeskConsult } from './desk-state.ts'
import { KeyField } from './key-field.tsx'
import { TransferPanel } from './transfer-panel.tsx'
import type { DeskPhoneUse } from './use-desk-phone.ts'
import type { Orders } from './use-orders.ts'

interface CallActsProps {
  readonly desk: Desk
  readonly call: DeskCall
  readonly orders: Orders
  readonly phone: DeskPhoneUse
}

/** F2 mutes, F4 holds and takes back; also while somebody types. */
function useCallKeys({ desk, call: { callId }, orders, phone }: CallActsProps) {
  const { isConnected, isHeld, consult } = desk
  const isMuted = isMutedNow(desk, phone)
  const mute = async () => {
    if (!isConnected && !isMuted) return
    // The browser is silent at once, whatever the node answers, and is heard again when the node has done it.
    if (!isMuted) phone.send({ type: 'mute', isMuted: true })
    const isDone = await orders.give({ type: isMuted ? 'unmute' : 'mute', callId })
    if (isMuted && isDone) phone.send({ type: 'mute', isMuted: false })
  }
  const hold = () => {
    if (consult && isConnected) void orders.give({ type: 'back', callId })
    else if (isConnected) void orders.give({ type: isHeld ? 'resume' : 'hold', callId })
  }
  useKeys({ F2: () => void mute(), F4: hold })
  return { mute, hold }
}

/** A button that is switched off under the focus takes it along; the row is where its neighbours are. */
function useFocusKept(row: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const at = document.activeElement
    if (at?.matches(':disabled') && row.current?.contains(at)) row.current.focus()
  })
}

/** By the node, or by this browser alone, where the node was not reached or was restarted. */
function isMutedNow({ isMuted, isConnected }: Desk, { view }: DeskPhoneUse): boolean {
  return isMuted || (isConnected && view?.isMuted === true)
}

/** The row, and below it what one of its buttons has opened. */
export function CallActs(props: CallActsProps) {
  const { desk, orders } = props
  const { callId } = props.call
  const texts = useTexts(CALL_ACTS_TEXTS)
  const [open, setOpen] = useState<'keys' | 'transfer'>()
  const { mute, hold } = useCallKeys(props)
  const { isConnected, isHeld, consult } = desk
  const isMuted = isMutedNow(desk, props.phone)
  const isAlone = isConnected && !consult
  const toggle = (what: 'keys' | 'transfer') => setOpen(open === what ? undefined : what)
  useCallCommands({ desk, isMuted, mute, hold, toggle })
  useEffect(() => {
    if (!isAlone) setOpen(undefined)
  }, [isAlone])
  const row = useRef<HTMLElement>(null)
  useFocusBack(open !== undefined, row)
  useFocusBack(consult !== undefined && isConnected, row)
  useFocusKept(row)
  return (
    <section ref={row} className={css.row} aria-label={texts.acts} tabIndex={-1} data-in-call>
      <div className={css.acts}>
        <Act
          icon="mute"
          name="F2"
          text={isMuted ? texts.unmute : texts.mute}
          isPressed={isMuted}
          isOff={!isConnected && !isMuted}
          onClick={() => void mute()}
        />
        <Act
          icon="pause"
          name={consult ? undefined : 'F4'}
          text={isHeld ? texts.resume : texts.hold}
          isPressed={isHeld}
          isOff={!isAlone}
          onClick={hold}
        />
        <Act
          icon="keys"
          text={texts.keys}
          isOff={!isAlone || isHeld}
          isExpanded={open === 'keys'}
          onClick={() => toggle('keys')}
        />
        <Act
          icon="out"
          text={texts.transfer}
          isOff={!isAlone}
          isExpanded={open === 'transfer'}
          onClick={() => toggle('transfer')}
        />
      </div>
      {open === 'keys' && <KeyField callId={callId} orders={orders} close={() => setOpen(undefined)} />}
      {open === 'transfer' && <TransferPanel callId={callId} orders={orders} close={() => setOpen(undefined)} />}
      {consult && isConnected && <Consulting consult={consult} callId={callId} orders={orders} />}
    </section>
  )
}

interface ConsultingProps {
  readonly consult: DeskConsult
  readonly callId: string
  readonly orders: Orders
}

/** Who else is there, and the three ways out. */
function Consulting({ consult: { name, state }, callId, orders }: ConsultingProps) {
  const texts = useTexts(CALL_ACTS_TEXTS)
  const told = state === 'ringing' ? texts.calling : state === 'all' ? texts.all : texts.with
  const mayConnect = state === 'talking' || state === 'all'
  const give = (type: 'connect' | 'join' | 'back') => () => void orders.give({ type, callId })
  return (
    <div className={css.consult}>
      <p role="status">
        <bdi>{fill(told, { name: plainText(name, 40) })}</bdi>
      </p>
      <BusyButton variant="filled" isOff={!mayConnect || orders.isBusy} onClick={give('connect')}>
        {texts.connect}
      </BusyButton>
      <BusyButton variant="default" isOff={state !== 'talking' || orders.isBusy} onClick={give('join')}>
        {texts.join}
      </BusyButton>
      <Act icon="back" name="F4" text={texts.back} isOff={false} onClick={give('back')} />
    </div>
  )
}

interface ActProps {
  readonly icon: IconName
  readonly name?: string | undefined
  readonly text: string
  readonly isPressed?: boolean
  readonly isExpanded?: boolean
  readonly isOff: boolean
  readonly onClick: () => void
}

function Act({ icon, name, text, isPressed, isExpanded, isOff, onClick }: ActProps): ReactNode {
  return (
    <Button
      variant={isPressed ? 'filled' : 'default'}
      disabled={isOff}
      onClick={onClick}
      leftSection={<Icon name={icon} size={16} />}
      rightSection={name && <Kbd aria-hidden="true">{name}</Kbd>}
      aria-keyshortcuts={name}
      aria-pressed={isPressed}
      aria-expanded={isExpanded}
    >
      {text}
    </Button>
  )
}
