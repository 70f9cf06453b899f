// What is said on demand, in English; every other language has the same keys and placeholders.

export const rarely = {
  place: "You are number {position} in the queue for a person.",
  waitUnknown: "We don’t know yet how long it will take.",
  waitKnown: "Others recently waited about {wait}.",
  closed:
    "Our team is not here right now and is back on {day} at {time}, your time. You can keep writing here.",
  joined: "{name} has joined. You are talking to a person.",
  types: "{name} is writing…",
  seen: "Seen",
  rate: "How was the help you got?",
  score: "{score} of 5",
  worst: "Very poor",
  best: "Very good",
  comment: "Anything to add? (optional)",
  sendRating: "Send rating",
  rated: "Thank you for your rating.",
  restart: "New conversation",
  download: "Download conversation",
  attach: "Attach an image",
  imagesOnly: "Only images of up to 5 MB can be sent: PNG, JPEG, WebP or GIF.",
  restartAsk: "Start a new conversation? Our team keeps this one, but you will no longer see it here.",
  cancel: "Cancel",
  failed: "That did not work. Please try again.",
  edited: "edited",
  deleted: "This message was deleted.",
  tryAgain: "Try again",
};
