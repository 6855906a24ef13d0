import { NativeSelect, Paper, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import { BusyButton } from '../look/busy-button.tsx'
import { ask } from '../session/ask.ts'
import { namesOf, useCommands } from '../shell/commands.ts'
import { useKeys } from '../shell/use-keys.ts'
import { useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import css from './desk.module.css'
import { DESK_TEXTS } from './desk-texts.ts'
import { useChosenCampaign, useTyped } from './drafts.ts'
import type { Orders } from './use-orders.ts'

/** A number and the campaign that it is dialed in; nothing where no campaign of the agent allows it. */
export function DialNumber({ orders }: { readonly orders: Orders }) {
  const texts = useTexts(DESK_TEXTS)
  const [typed, type] = useTyped('number')
  const [chosen, choose] = useChosenCampaign()
  const field = useRef<HTMLInputElement>(null)
  const { data: campaigns = [] } = useQuery({
    queryKey: ['campaigns to dial in'],
    queryFn: () => ask('GET /svcpbx/agents/me/campaigns'),
  })
  const goThere = () => field.current?.focus()
  const command = { id: 'desk-dialNumber', names: namesOf(DESK_TEXTS, 'dialNumber'), keys: 'F7', run: goThere }
  const isOffered = campaigns.length > 0
  useKeys(isOffered ? { F7: goThere } : {})
  useCommands(isOffered ? [command] : [])
  const campaign = campaigns.find(({ callCode }) => String(callCode) === chosen) ?? campaigns[0]
  if (!campaign) return null
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const number = typed.trim()
    if (number === '' || orders.isBusy) return
    if (await orders.give({ type: 'dialNumber', number, callCode: campaign.callCode })) type('')
  }
  const options = campaigns.map(({ callCode, name }) => ({ value: String(callCode), label: plainText(name, 60) }))
  return (
    <Paper component="form" withBorder className={css.card} onSubmit={submit}>
      <h2 className={css.heading}>{texts.dialNumber}</h2>
      <TextInput
        ref={field}
        label={texts.number}
        description={texts.dialNumberHint}
        value={typed}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        type="tel"
        maxLength={32}
        autoComplete="off"
      />
      <NativeSelect
        label={texts.inCampaign}
        data={options}
        value={String(campaign.callCode)}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <BusyButton type="submit" variant="default" isOff={orders.isBusy}>
        {texts.dialIt}
      </BusyButton>
    </Paper>
  )
}
