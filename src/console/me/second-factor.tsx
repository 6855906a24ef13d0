/** One-time codes of an app beside the password: on, off, and the codes for a lost phone. */
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { encode } from 'uqr'
import { SwitchboardProblem } from '../../client/problem.ts'
import { BusyButton } from '../look/busy-button.tsx'
import { ask } from '../session/ask.ts'
import { useSession } from '../session/use-session.ts'
import type { Language } from '../texts/catalogue.ts'
import { fill } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { spokenRefusal } from '../texts/spoken-refusal.ts'
import css from './me.module.css'
import { ME_TEXTS } from './me-texts.ts'

const KEY = ['second-factor']

/** What the person does now; undefined: nothing. */
type Doing =
  | { readonly what: 'begin' | 'end' }
  | { readonly what: 'scan'; readonly secret: string; readonly address: string }
  | { readonly what: 'keep'; readonly codes: readonly string[] }

/** The card's content. `changed`: it was turned on, and the codes were kept; or it was turned off. */
export function SecondFactor({ changed }: { readonly changed: () => void }) {
  const texts = useTexts(ME_TEXTS)
  const queries = useQueryClient()
  const [doing, setDoing] = useState<Doing>()
  const isOwed = useSession().owesSecondFactor
  const { data } = useQuery({ queryKey: KEY, queryFn: () => ask('GET /rest/core/session/second-factor') })
  const done = () => {
    setDoing(undefined)
    void queries.invalidateQueries({ queryKey: KEY })
  }
  // In another window: nothing is owed any more.
  const isPaid = isOwed && data?.on === true && doing === undefined
  useEffect(() => {
    if (isPaid) changed()
  }, [isPaid, changed])
  if (!data || isPaid) return <p className={css.factor}>–</p>
  if (doing?.what === 'begin') return <Begin begun={setDoing} cancel={done} />
  if (doing?.what === 'scan') return <Scan {...doing} confirmed={setDoing} cancel={done} />
  const over = () => {
    done()
    changed()
  }
  if (doing?.what === 'keep') return <Keep codes={doing.codes} done={over} />
  if (doing?.what === 'end') return <End ended={over} cancel={done} />
  return (
    <div className={css.factor}>
      {!isOwed && <p>{data.on ? fill(texts.factorOn, { left: String(data.recoveryCodesLeft) }) : texts.factorOff}</p>}
      <Button variant="default" onClick={() => setDoing({ what: data.on ? 'end' : 'begin' })}>
        {data.on ? texts.factorEnd : texts.factorBegin}
      </Button>
    </div>
  )
}

function Begin({ begun, cancel }: { readonly begun: (next: Doing) => void; readonly cancel: () => void }) {
  const texts = useTexts(ME_TEXTS)
  const [password, setPassword] = useState('')
  const step = useMutation({
    mutationFn: () => ask('POST /rest/core/session/second-factor', { body: { password } }),
    onSuccess: (secret) => begun(Object.assign({ what: 'scan' as const }, secret)),
  })
  return (
    <Step mutation={step} submit={texts.next} cancel={cancel}>
      <Password value={password} change={setPassword} />
    </Step>
  )
}

interface ScanProps {
  readonly secret: string
  readonly address: string
  readonly confirmed: (next: Doing) => void
  readonly cancel: () => void
}

function Scan({ secret, address, confirmed, cancel }: ScanProps) {
  const texts = useTexts(ME_TEXTS)
  const [code, setCode] = useState('')
  const step = useMutation({
    mutationFn: () => ask('PUT /rest/core/session/second-factor', { body: { code } }),
    onSuccess: ({ recoveryCodes }) => confirmed({ what: 'keep', codes: recoveryCodes }),
  })
  return (
    <div className={css.factor}>
      <p>{texts.scan}</p>
      <Picture of={address} />
      <p>
        {texts.key}: <code className={css.key}>{secret.replaceAll(/(.{4})/g, '$1 ').trim()}</code>
      </p>
      <Step mutation={step} submit={texts.confirm} cancel={cancel}>
        <TextInput
          label={texts.code}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={12}
          required
          withAsterisk={false}
          autoFocus
        />
      </Step>
    </div>
  )
}

function Keep({ codes, done }: { readonly codes: readonly string[]; readonly done: () => void }) {
  const texts = useTexts(ME_TEXTS)
  return (
    <div className={css.factor}>
      <p role="status">{texts.recovery}</p>
      <ul className={css.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Button autoFocus onClick={done}>
        {texts.done}
      </Button>
    </div>
  )
}

function End({ ended, cancel }: { readonly ended: () => void; readonly cancel: () => void }) {
  const texts = useTexts(ME_TEXTS)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const step = useMutation({
    mutationFn: () => ask('POST /rest/core/session/second-factor/off', { body: { password, code } }),
    onSuccess: ended,
  })
  return (
    <Step mutation={step} submit={texts.end} cancel={cancel}>
      <Password value={password} change={setPassword} />
      <TextInput
        label={texts.codeOrRecovery}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
        autoComplete="one-time-code"
        maxLength={32}
        required
        withAsterisk={false}
      />
    </Step>
  )
}

function Password({ value, change }: { readonly value: string; readonly change: (value: string) => void }) {
  const texts = useTexts(ME_TEXTS)
  return (
    <TextInput
      type="password"
      label={texts.password}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      autoComplete="current-password"
      maxLength={256}
      required
      withAsterisk={false}
      miw={220}
      autoFocus
    />
  )
}

interface StepProps {
  readonly mutation: { mutate(): void; readonly isPending: boolean; readonly error: Error | null }
  readonly submit: string
  readonly cancel: () => void
  readonly children: ReactNode
}

/** A question and its answer. What was typed stays after a refusal. */
function Step({ mutation: { mutate, isPending, error }, submit, cancel, children }: StepProps) {
  const texts = useTexts(ME_TEXTS)
  const { language } = useLanguage()
  const send = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <div className={css.factor}>
      <form onSubmit={send}>
        {children}
        <BusyButton type="submit" isOff={isPending}>
          {submit}
        </BusyButton>
        <Button variant="default" onClick={cancel}>
          {texts.cancel}
        </Button>
      </form>
      {error && (
        <p role="alert" className={css.trouble}>
          {sentenceOf(error, language) ?? texts.failed}
        </p>
      )}
    </div>
  )
}

/** What the node says of a refusal. */
function sentenceOf(error: Error, language: Language): string | undefined {
  if (!(error instanceof SwitchboardProblem) || error.status === 0) return undefined
  return spokenRefusal(error, language)
}

/** A QR code, drawn as one path. */
function Picture({ of: address }: { readonly of: string }) {
  const texts = useTexts(ME_TEXTS)
  const { data, size } = encode(address, { border: 0 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('')
  return (
    <svg className={css.picture} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={texts.picture}>
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
