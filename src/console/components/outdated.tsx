import { Button } from './button.tsx'

/** Says that what a form changes was stored by another person or tab meanwhile. Nothing of the input is lost. */
export const Outdated = ({ isShown, onReset }: { isShown: boolean; onReset(): void }) => (
  <div role="status">
    {isShown && (
      <div className="interruption">
        <p>
          This was changed in another tab or by another person. Saving replaces those changes by what is
          entered here.
        </p>
        <Button isSmall onClick={onReset}>
          Show the changes
        </Button>
      </div>
    )}
  </div>
)
