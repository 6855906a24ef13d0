import { Paper, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import type { AnswerOf } from '../../client/request.ts'
import { BusyButton } from '../look/busy-button.tsx'
import { ask } from '../session/ask.ts'
import { useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import css from './desk.module.css'
import { DESK_TEXTS } from './desk-texts.ts'
import { useTyped } from './drafts.ts'
import type { Orders } from './use-orders.ts'

const FOUND_MAX = 8

/** Finds open call tasks by number or case, and dials one. */
export function DialByHand({ orders }: { readonly orders: Orders }) {
  const texts = useTexts(DESK_TEXTS)
  const [typed, type] = useTyped('search')
  const search = useMutation({ mutationFn: find })
  const dial = async ({ itcaId, number }: Found) => {
    if (await orders.give({ type: 'dial', itcaId, ...(number !== undefined && { number }) })) type('')
  }
  /** Only as long as it is shown: an answer that comes after another call dials nobody. */
  const dialTheOnly = (tasks: readonly Found[]) => {
    if (tasks.length === 1) void dial(tasks[0]!)
  }
  const isBusy = search.isPending || orders.isBusy
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() !== '' && !isBusy) search.mutate(typed.trim(), { onSuccess: dialTheOnly })
  }
  const found = search.data ?? []
  return (
    <Paper component="form" withBorder className={css.card} onSubmit={submit}>
      <h2 className={css.heading}>{texts.byHand}</h2>
      <TextInput
        label={texts.byHandLabel}
        description={texts.byHandHint}
        value={typed}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        maxLength={64}
        error={search.isError ? texts.failed : search.data && found.length === 0 ? texts.nothingFound : undefined}
      />
      <BusyButton type="submit" variant="default" isOff={isBusy}>
        {texts.find}
      </BusyButton>
      {found.length > 1 &&
        found.map((task) => (
          <BusyButton
            key={task.itcaId}
            isOff={isBusy}
            variant="default"
            justify="flex-start"
            onClick={() => void dial(task)}
          >
            <bdi>{plainText(task.callReceiverName, 40)}</bdi>
            <bdi className={css.dim}>{plainText(task.systemLookupCode ?? texts.notKnown, 24)}</bdi>
          </BusyButton>
        ))}
    </Paper>
  )
}

type CallTask = AnswerOf<'POST /dialer/calltaskget'>['callTasks'][number]

/** `number`: it was found by this number alone, so no other one of it is to ring. */
type Found = CallTask & { readonly number?: string }

/** A number may be written in any way; a case may be a number too. */
async function find(text: string): Promise<readonly Found[]> {
  const open = { finishedList: [false], limit: FOUND_MAX }
  const search = async (filter: object) =>
    (await ask('POST /dialer/calltaskget', { body: Object.assign({}, open, filter) })).callTasks
  const isNumber = /^\+?[\d\s()/.-]{5,31}$/.test(text)
  const [byCase, byNumber] = await Promise.all([
    search({ systemLookupCodes: [text] }),
    isNumber ? search({ callNumbers: [text] }) : [],
  ])
  const others = byNumber.filter(({ itcaId }) => byCase.every((task) => task.itcaId !== itcaId))
  return [...byCase, ...others.map((task) => Object.assign({}, task, { number: text }))].slice(0, FOUND_MAX)
}
