import { keysTexts } from '../texts/keys.ts';
import { Dialog, addDialog } from './dialog.tsx';

let sheet: HTMLDialogElement | null = null;

/** Shows the keys and their actions. */
export function showKeys() {
  sheet ??= addDialog(<Keys />);
  if (!sheet.open) sheet.showModal();
}

function Keys() {
  return (
    <Dialog name="keys" title={keysTexts.title}>
      <dl class="keys">
        {keysTexts.list.map(([keys, effect]) => (
          <>
            <dt>
              {keys.map((key, place) => (
                <>
                  {place > 0 && ' '}
                  <kbd>{key}</kbd>
                </>
              ))}
            </dt>
            <dd>{effect}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  );
}
