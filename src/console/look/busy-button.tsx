/**
 * A button whose act is under way: it takes no second press, and keeps the focus. One that is switched off loses the
 * focus for good, and where its act is refused, its key does nothing any more (console-36). That of a form holds back
 * the form as well: Enter in a field presses it. A key that is held presses once, or it would act on what comes next.
 */
import { Button, type ButtonProps, type ElementProps } from '@mantine/core'

interface BusyProps extends Omit<ButtonProps, 'loading'>, ElementProps<'button', keyof ButtonProps> {
  readonly isBusy: boolean
}

/** As the button of the library. */
export function BusyButton({ isBusy, onClick, ...props }: BusyProps) {
  return (
    <Button
      {...props}
      {...(isBusy && { 'data-disabled': true, 'aria-disabled': true })}
      onKeyDown={(event) => event.repeat && event.key === 'Enter' && event.preventDefault()}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}
