/**
 * A button that keeps the focus while it is off, as while its act is under way, and takes no press. One that is
 * disabled loses the focus for good, and where its act is refused, its key does nothing any more (console-36). That of
 * a form holds back the form as well: Enter in a field presses it. A key that is held presses once, or it would act on
 * what comes next.
 */
import { Button, type ButtonProps, type ElementProps } from '@mantine/core'

interface BusyProps extends Omit<ButtonProps, 'loading'>, ElementProps<'button', keyof ButtonProps> {
  /** Its act is under way, or there is nothing yet that it could do. */
  readonly isOff: boolean
}

/** As the button of the library. */
export function BusyButton({ isOff, onClick, ...props }: BusyProps) {
  return (
    <Button
      {...props}
      {...(isOff && { 'data-disabled': true, 'aria-disabled': true })}
      onKeyDown={(event) => event.repeat && event.key === 'Enter' && event.preventDefault()}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}
