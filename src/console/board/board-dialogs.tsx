/** What is asked before an act is done: what would happen, and why. */
import { Button, Group, Modal, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { AnswerOf } from '../../client/request.ts'
import { BusyButton } from '../look/busy-button.tsx'
import { ask } from '../session/ask.ts'
import { useTexts } from '../texts/language.tsx'
import { ACT_TEXTS } from './act-texts.ts'
import type { CampaignRow } from './board-rows.ts'
import { TASK_TEXTS } from './reason-texts.ts'
import { Sentence } from './sentence.tsx'
import type { CampaignAct } from './use-acts.ts'

interface AgentDialogProps {
  readonly name: string
  readonly what: 'pause' | 'logOut'
  readonly onDone: (reason: string) => void
  readonly onClose: () => void
}

/** Asks for the reason; Enter is enough. */
export function AgentDialog({ name, what, onDone, onClose }: AgentDialogProps) {
  const texts = useTexts(ACT_TEXTS)
  const [reason, setReason] = useState(texts.reasonFirst)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() !== '') onDone(reason.trim())
  }
  const title = <Sentence text={what === 'pause' ? texts.pauseTitle : texts.logOutTitle} values={{ name }} />
  return (
    <Modal
      lockScroll={false}
      opened
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': texts.close }}
      withinPortal={false}
    >
      {/* The key that has opened it, and is held still, does nothing yet. */}
      <form onSubmit={send} onKeyDown={(event) => event.repeat && event.key === 'Enter' && event.preventDefault()}>
        <Stack>
          {what === 'logOut' && (
            <Text>
              <Sentence text={texts.logOutEffect} values={{ name }} />
            </Text>
          )}
          <TextInput
            label={texts.reason}
            value={reason}
            maxLength={200}
            required
            data-autofocus
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button type="submit">{what === 'pause' ? texts.pauseAgent : texts.logOut}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

interface EffectProps {
  readonly callCode: number
  readonly name: string
  readonly act: CampaignAct
  /** What it does now; absent where it does nothing. */
  readonly row: CampaignRow | undefined
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Shows what the act would do, counted by the node, before it is done. */
export function EffectDialog({ callCode, name, act, row, onDone, onClose }: EffectProps) {
  const texts = useTexts(ACT_TEXTS)
  const { data, error } = useQuery({
    queryKey: ['board', 'effect', callCode],
    queryFn: () => ask('GET /dialer/callcode/{callCode}/effect', { params: { callCode } }),
    staleTime: 0,
  })
  const sentences = {
    pause: texts.effectPause,
    resume: texts.effectResume,
    slow: texts.effectSlow,
    fast: texts.effectFast,
  }
  const words = { pause: texts.pauseCampaign, resume: texts.resumeCampaign, slow: texts.slowDown, fast: texts.ownPace }
  const { inFlight = 0, idleAgents = 0 } = row?.live ?? {}
  return (
    <Modal
      lockScroll={false}
      opened
      onClose={onClose}
      title={<Sentence text={texts.effectTitle} values={{ name }} />}
      closeButtonProps={{ 'aria-label': texts.close }}
      withinPortal={false}
    >
      <Stack>
        <Text aria-live="polite" mih={64}>
          {data && <Sentence text={sentences[act]} values={figures(data, { inFlight, idle: idleAgents })} />}
          {!data && (error ? texts.unreachable : texts.counting)}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.cancel}
          </Button>
          {/* Not `disabled`: a button that is off takes no focus, and the dialog would be open without it. */}
          <BusyButton isOff={!data} onClick={onDone} data-autofocus>
            {words[act]}
          </BusyButton>
        </Group>
      </Stack>
    </Modal>
  )
}

function figures(
  effect: AnswerOf<'GET /dialer/callcode/{callCode}/effect'>,
  more: Readonly<Record<string, number>>,
): Record<string, string> {
  const { ringing, answered, waiting, due } = effect
  const all = Object.assign({ ringing, answered, waiting, due }, more)
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value)]))
}

interface WhyProps {
  readonly callCode: number
  readonly name: string
  readonly onClose: () => void
}

/** One reason for each call task that is not being dialed; their sum is shown beside what it must be. */
export function WhyDialog({ callCode, name, onClose }: WhyProps) {
  const texts = useTexts(ACT_TEXTS)
  const { data, error } = useQuery({
    queryKey: ['board', 'reasons', callCode],
    queryFn: () => ask('GET /dialer/callcode/{callCode}/reasons', { params: { callCode } }),
    staleTime: 0,
  })
  return (
    <Modal
      lockScroll={false}
      opened
      onClose={onClose}
      size="lg"
      title={<Sentence text={texts.whyTitle} values={{ name }} />}
      closeButtonProps={{ 'aria-label': texts.close }}
      withinPortal={false}
    >
      <Stack mih={120} aria-live="polite">
        {data ? <Reasons data={data} /> : <Text>{error ? texts.unreachable : texts.counting}</Text>}
      </Stack>
    </Modal>
  )
}

function Reasons({ data }: { readonly data: AnswerOf<'GET /dialer/callcode/{callCode}/reasons'> }) {
  const texts = useTexts(ACT_TEXTS)
  const words = useTexts(TASK_TEXTS)
  const { callTasks, finished, underWay, notDialed } = data
  const reasons = Object.entries(data.reasons as Record<string, number>).sort(([, a], [, b]) => b - a)
  const values = { total: callTasks, finished, underWay, notDialed }
  const shown = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]))
  if (reasons.length === 0) return <Text>{texts.whyNone}</Text>
  return (
    <>
      <Text>
        <Sentence text={texts.whySum} values={shown} />
      </Text>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.whyReason}</Table.Th>
            <Table.Th ta="right">{texts.whyTasks}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {reasons.map(([code, tasks]) => (
            <Table.Tr key={code}>
              <Table.Td>{words[code as 'other'] ?? words.other}</Table.Td>
              <Table.Td ta="right">{tasks}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th>{texts.whyTotal}</Table.Th>
            <Table.Th ta="right">{reasons.reduce((sum, [, tasks]) => sum + tasks, 0)}</Table.Th>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </>
  )
}
