// Where only a part of the week fits into the window, today is brought into sight. Without this file it begins with Monday.
document
  .querySelector('.calendar [aria-current=date]')
  ?.closest('section')
  .scrollIntoView({ block: 'nearest', inline: 'nearest' });
