#!/bin/sh
# Takes a turn as tests want it: by the words that the message holds, in the agent's workspace.
message=$(cat)
has() { case "$message" in *"$1"*) return 0 ;; *) return 1 ;; esac; }
pause() { # until the file $1 is there, for 25 s at most
  i=0
  while [ ! -e "$1" ] && [ $i -lt 500 ]; do sleep 0.05; i=$((i + 1)); done
}

echo "$POSTERN_RUN_ID" >> begun
if has 'wait for go'; then pause go; fi
if has 'slow at first' && [ "$(grep -c "$POSTERN_RUN_ID" begun)" = 1 ]; then sleep 50; fi
if has 'always slow'; then sleep 50; fi
if has 'escape'; then
  (setsid sh -c 'echo $$ > escaped; sleep 50' > /dev/null 2>&1 &)
  pause escaped
  sleep 50
fi
if has 'in order'; then
  place=$(echo "$message" | sed -n 's/^in order //p')
  echo "begin $place" >> "order-$POSTERN_SESSION_KEY"
  sleep 0.05
  echo "end $place" >> "order-$POSTERN_SESSION_KEY"
fi
if has 'meet'; then # two that run side by side see each other
  touch "met-$POSTERN_RUN_ID"
  i=0
  while [ "$(ls met-* | wc -l)" -lt 2 ] && [ $i -lt 200 ]; do sleep 0.05; i=$((i + 1)); done
  ls met-* | wc -l
  exit
fi
if has 'crowd'; then # how many are there at one time
  mkdir -p crowd && touch "crowd/$POSTERN_RUN_ID"
  i=0 # the first wait for as many as there may be
  while there=$(ls crowd | wc -l) && [ "$there" -lt 3 ] && [ ! -e crowded ] && [ $i -lt 400 ]; do
    sleep 0.05
    i=$((i + 1))
  done
  touch crowded
  sleep 0.2
  later=$(ls crowd | wc -l)
  echo $((later > there ? later : there)) >> crowds
  rm "crowd/$POSTERN_RUN_ID"
fi
if has 'nothing to tell'; then echo HEARTBEAT_OK; exit; fi
if has 'break'; then echo 'a secret of the program' >&2; exit 3; fi
echo "turn taken: $message"
