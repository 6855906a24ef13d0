import { Paper, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
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
  const dial = async (itcaId: number) => {
    if (await orders.give({ type: 'dial', itcaId })) type('')
  }
  /** Only as long as it is shown: an answer that comes after another call dials nobody. */
  const dialTheOnly = (tasks: Awaited<ReturnType<typeof find>>) => {
    if (tasks.length === 1) void dial(tasks[0]!.itcaId)
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
        found.map(({ itcaId, callReceiverName, systemLookupCode }) => (
          <BusyButton
            key={itcaId}
            isOff={isBusy}
            variant="default"
            justify="flex-start"
            onClick={() => void dial(itcaId)}
          >
            <bdi>{plainText(callReceiverName, 40)}</bdi>
            <bdi className={css.dim}>{plainText(systemLookupCode ?? texts.notKnown, 24)}</bdi>
          </BusyButton>
        ))}
    </Paper>
  )
}

/** A number may be written in any way; a case may be a number too. */
async function find(text: string) {
  const open = { finishedList: [false], limit: FOUND_MAX }
  const isNumber = /^\+?[\d\s()/.-]{5,}$/.test(text)
  const filters = [{ systemLookupCodes: [text] }, ...(isNumber ? [{ callNumbers: [text] }] : [])]
  const answers = await Promise.all(
    filters.map((filter) => ask('POST /dialer/calltaskget', { body: Object.assign({}, open, filter) })),
  )
  const tasks = answers.flatMap(({ callTasks }) => callTasks)
  return [...new Map(tasks.map((task) => [task.itcaId, task])).values()].slice(0, FOUND_MAX)
}
